// What client bindings of every style import: errors for lost connections, metadata, and error details.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import { constants } from "node:http2";
export { metadataHeaders, receivedMetadata } from "./call-headers.ts";
export { noTogether, noStreams, refusedStream } from "./limitations.ts";
export { detailsOf, rpcStatusFromBinary } from "./error-details.ts";

/** The error of the last address, if a name has several. */
function reasonOf(error: Error): string {
  const last = error instanceof AggregateError ? ((error.errors as readonly Error[]).at(-1) ?? error) : error;
  return last.message;
}

/** UNAVAILABLE, with the address. @param why the library's error, or the reason as text; undefined if the connection was closed without an error. */
export function serverUnavailable(origin: string, why: Error | string | undefined): CallError {
  const cause = why instanceof Error ? why : undefined;
  const reason = why instanceof Error ? reasonOf(why) : (why ?? "the connection was closed");
  return new CallError("UNAVAILABLE", `no answer from ${origin}: ${reason}`, {}, { cause });
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
