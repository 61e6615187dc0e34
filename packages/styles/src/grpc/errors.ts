// Errors in gRPC: a status with code and message, and a google.rpc.Status in a trailer for details.
import { CallError, type CanonicalCode, type Metadata, type ServerCall } from "@roundtrip/contract";
import { isWithoutDetails, rpcStatusFromBinary } from "../shared/rpc-status.ts";
import { fittingDetails, fittingMessage } from "./fitting-error.ts";

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
