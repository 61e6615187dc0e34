// Limits errors to the size of metadata. Peers refuse a call with larger metadata, which loses even its code.
import { CallError, type ErrorDetails } from "@roundtrip/contract";
import { rpcStatusToBinary } from "../shared/rpc-status.ts";

// gRPC's C core, which Python, C++, Ruby and others use, may refuse metadata above 8 KB and always does above 16 KB. The rest is for other trailers.
const maxErrorBytes = 7_500;
const maxMessageBytes = 3_000;

/** Bytes of a message in the trailer `grpc-message`, percent-encoded as Node.js libraries do. */
function encodedBytes(message: string): number {
  return encodeURI(message).length;
}

/** The message, truncated to fit. A lone surrogate, which cannot be encoded, becomes U+FFFD. */
export function fittingMessage(message: string): string {
  // Each character takes at least one byte.
  let fitting = message.slice(0, maxMessageBytes).toWellFormed();
  for (let bytes = encodedBytes(fitting); bytes > maxMessageBytes; bytes = encodedBytes(fitting)) {
    const length = Math.floor((fitting.length * maxMessageBytes) / bytes);
    fitting = fitting.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  }
  return fitting;
}

/** Successively smaller details: half of the violations each time, finally without violations and metadata. */
function* shrinkingDetails(details: ErrorDetails): Generator<ErrorDetails> {
  yield details;
  for (let count = details.violations.length >>> 1; count > 0; count >>>= 1) {
    yield { ...details, violations: details.violations.slice(0, count) };
  }
  yield { ...details, violations: [] };
  yield { ...details, violations: [], metadata: {} };
}

/** The error as a serialised google.rpc.Status with as many details as fit; undefined if not even its reason does. */
export function fittingDetails({ code, details }: CallError, message: string): Uint8Array | undefined {
  // Metadata encodes bytes as base64.
  const maxDetailsBytes = Math.floor(((maxErrorBytes - encodedBytes(message)) * 3) / 4);
  for (const fewer of shrinkingDetails(details)) {
    const bytes = rpcStatusToBinary(new CallError(code, message, fewer));
    if (bytes.length <= maxDetailsBytes) return bytes;
  }
  return undefined;
}
