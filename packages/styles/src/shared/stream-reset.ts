// Calls over HTTP/2 whose stream the server has reset.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import { constants } from "node:http2";

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
