// The end of a call as HTTP/2 headers: status, message and details ("Trailers"), or an answer that is not gRPC's.
import {
  binaryMetadata,
  CallError,
  canonicalCodes,
  codeFromGrpc,
  type CanonicalCode,
  type Metadata,
} from "@roundtrip/contract";
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { detailsTrailer, errorInDetails, type GrpcStatus } from "./errors.ts";
import { metadataHeaders } from "./metadata-headers.ts";

/** The end of a call without an error. */
export const okTrailers: OutgoingHttpHeaders = { "grpc-status": 0 };

/** @param metadata undefined if the headers already carry it. */
export function errorTrailers(
  { code, message, details }: GrpcStatus,
  metadata: Metadata | undefined,
): OutgoingHttpHeaders {
  const trailers: OutgoingHttpHeaders = {
    "grpc-status": canonicalCodes[code].grpc,
    // Escapes more than gRPC requires, and all that it does.
    "grpc-message": encodeURI(message),
  };
  if (details !== undefined) trailers[detailsTrailer] = binaryMetadata.encode(details);
  return metadata === undefined ? trailers : { ...metadataHeaders(metadata), ...trailers };
}

function messageIn(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed escapes are shown as they are, as gRPC asks of clients.
    return text;
  }
}

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
const codesOfHttp: Readonly<Record<number, CanonicalCode>> = {
  400: "INTERNAL",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "UNIMPLEMENTED",
  429: "UNAVAILABLE",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

/** The error of an answer without a gRPC status. */
export function statusMissing(httpStatus: number | undefined): CallError {
  const code = codesOfHttp[httpStatus ?? 0] ?? "UNKNOWN";
  return new CallError(code, `the answer has HTTP status ${httpStatus ?? "none"}, and no gRPC status`);
}

/** The error in trailers, or in the headers of an answer without a body; undefined for OK. */
export function errorInTrailers(trailers: IncomingHttpHeaders, httpStatus: number | undefined): CallError | undefined {
  const status = trailers["grpc-status"];
  if (status === "0") return undefined;
  if (typeof status !== "string") return statusMissing(httpStatus);
  const details = trailers[detailsTrailer];
  const withDetails =
    typeof details === "string" ? errorInDetails(Buffer.from(details, "base64"), undefined) : undefined;
  const message = trailers["grpc-message"];
  return (
    withDetails ?? new CallError(codeFromGrpc(Number(status)), typeof message === "string" ? messageIn(message) : "")
  );
}

/** https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors */
const codesOfReset: Readonly<Record<number, CanonicalCode>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: "UNAVAILABLE",
  [constants.NGHTTP2_CANCEL]: "CANCELLED",
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: "RESOURCE_EXHAUSTED",
  [constants.NGHTTP2_INADEQUATE_SECURITY]: "PERMISSION_DENIED",
};

/** The error of a call whose server has ended the stream with RST_STREAM instead of a status. */
export function streamReset(errorCode: number): CallError {
  return new CallError(
    codesOfReset[errorCode] ?? "INTERNAL",
    `the server reset the call with HTTP/2 code ${errorCode}`,
  );
}
