// The end of a call as HTTP/2 headers: status, message and details ("Trailers"), or an answer that is not gRPC's.
import {
  binaryMetadata,
  CallError,
  canonicalCodes,
  ClientSideError,
  codeFromGrpc,
  type Metadata,
} from "@roundtrip/contract";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { detailsTrailer, errorInDetails, type GrpcStatus } from "./errors.ts";
import { metadataHeaders } from "../shared/metadata-headers.ts";
import { codeOfForeignAnswer } from "../shared/foreign-answer.ts";

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

/** The error of an answer without a gRPC status. */
export function statusMissing(httpStatus: number | undefined): CallError {
  const code = codeOfForeignAnswer(httpStatus);
  return new ClientSideError(code, `the answer has HTTP status ${httpStatus ?? "none"}, and no gRPC status`);
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
