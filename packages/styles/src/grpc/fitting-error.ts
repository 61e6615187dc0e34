// How much of an error fits into metadata. Peers refuse a call whose metadata is too large, and then even its code is lost.
import { CallError, type ErrorDetails } from "@roundtrip/contract";
import { rpcStatusToBinary } from "../shared/rpc-status.ts";

// gRPC's C core, which Python, C++, Ruby and others use, may refuse metadata above 8 KB and does above 16 KB. The rest is for what
// else is in the trailers.
const maxErrorBytes = 7_500;
const maxMessageBytes = 3_000;

/** Bytes of a message in the trailer `grpc-message`, percent-encoded as libraries for Node.js do it. */
function encodedBytes(message: string): number {
  return encodeURI(message).length;
}

/** The message, or its beginning. Half a surrogate pair, which cannot be encoded, becomes U+FFFD. */
export function fittingMessage(message: string): string {
  // No character takes less than one byte.
  let fitting = message.slice(0, maxMessageBytes).toWellFormed();
  for (let bytes = encodedBytes(fitting); bytes > maxMessageBytes; bytes = encodedBytes(fitting)) {
    const length = Math.floor((fitting.length * maxMessageBytes) / bytes);
    fitting = fitting.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  }
  return fitting;
}

/** Details with ever less in them: half of the violations each time, and in the end neither violations nor metadata. */
function* everLess(details: ErrorDetails): Generator<ErrorDetails> {
  yield details;
  for (let count = details.violations.length >>> 1; count > 0; count >>>= 1) {
    yield { ...details, violations: details.violations.slice(0, count) };
  }
  yield { ...details, violations: [] };
  yield { ...details, violations: [], metadata: {} };
}

/**
 * The error as a serialised google.rpc.Status with as many of its details as fit beside the message; undefined when not even its reason
 * does.
 */
export function fittingDetails({ code, details }: CallError, message: string): Uint8Array | undefined {
  // Metadata carries bytes in base64.
  const maxDetailsBytes = Math.floor(((maxErrorBytes - encodedBytes(message)) * 3) / 4);
  for (const fewer of everLess(details)) {
    const bytes = rpcStatusToBinary(new CallError(code, message, fewer));
    if (bytes.length <= maxDetailsBytes) return bytes;
  }
  return undefined;
}
