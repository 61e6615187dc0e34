// Errors in gRPC: a status with code and message, and a google.rpc.Status in a trailer for details.
import { CallError, type CanonicalCode, type ErrorDetails, type Metadata, type ServerCall } from "@roundtrip/contract";
import { isWithoutDetails, rpcStatusFromBinary, rpcStatusToBinary } from "../shared/error-details.ts";

/** The trailer that carries a serialised google.rpc.Status. */
export const detailsTrailer = "grpc-status-details-bin";

export interface GrpcStatus {
  /** The trailer `grpc-status` has its number. */
  readonly code: CanonicalCode;
  /** The trailer `grpc-message`, before it is percent-encoded. */
  readonly message: string;
  /** The trailer {@link detailsTrailer}; undefined without details. */
  readonly details: Uint8Array | undefined;
}

/** The status of an error. Omits what does not fit into metadata, see {@link fittingMessage} and {@link fittingDetails}. */
export function statusOf(error: CallError): GrpcStatus {
  const message = fittingMessage(error.message);
  const details = isWithoutDetails(error.details) ? undefined : fittingDetails(error, message);
  return { code: error.code, message, details };
}

/** The error that {@link statusOf} makes a status of, for libraries that serialise details themselves. */
export function fittingError(error: CallError): CallError {
  const { code, message, details } = statusOf(error);
  return details === undefined
    ? new CallError(code, message, {}, { cause: error })
    : rpcStatusFromBinary(details, error);
}

export interface Failure {
  readonly status: GrpcStatus;
  readonly metadata: Metadata | undefined;
}

/** The failure for anything that a service throws. */
export function failureOf(thrown: unknown, call: ServerCall): Failure {
  const error = CallError.from(thrown);
  try {
    return { metadata: call.metadataToSend(), status: statusOf(error) };
  } catch (unsendable) {
    return { metadata: undefined, status: statusOf(CallError.from(unsendable)) };
  }
}

/** Parses the error in {@link detailsTrailer}; undefined if it is malformed, because code and message are known anyway. */
export function errorInDetails(details: Uint8Array, cause: unknown): CallError | undefined {
  try {
    return rpcStatusFromBinary(details, cause);
  } catch {
    return undefined;
  }
}

// Limits errors to the size of metadata. Peers refuse a call with larger metadata, which loses even its code.

// gRPC's C core, which Python, C++, Ruby and others use, may refuse metadata above 8 KB and always does above 16 KB. The rest is for other trailers.
const maxErrorBytes = 7_500;
const maxMessageBytes = 3_000;

/** Bytes of a message in the trailer `grpc-message`, percent-encoded as Node.js libraries do. */
function encodedBytes(message: string): number {
  return encodeURI(message).length;
}

/** The message, truncated to fit. A lone surrogate, which cannot be encoded, becomes U+FFFD. */
function fittingMessage(message: string): string {
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
function fittingDetails({ code, details }: CallError, message: string): Uint8Array | undefined {
  // Metadata encodes bytes as base64.
  const maxDetailsBytes = Math.floor(((maxErrorBytes - encodedBytes(message)) * 3) / 4);
  for (const fewer of shrinkingDetails(details)) {
    const bytes = rpcStatusToBinary(new CallError(code, message, fewer));
    if (bytes.length <= maxDetailsBytes) return bytes;
  }
  return undefined;
}
