// Errors on gRPC: a status with code and message, and google.rpc.Status in a trailer when there is more to say.
import { CallError, type CanonicalCode, type Metadata, type ServerCall } from "@roundtrip/contract";
import { isWithoutDetails, rpcStatusFromBinary } from "../shared/rpc-status.ts";
import { fittingDetails, fittingMessage } from "./fitting-error.ts";

/** The trailer that carries a serialised google.rpc.Status. */
export const detailsTrailer = "grpc-status-details-bin";

/** How a call ends on the wire. */
export interface GrpcStatus {
  /** The trailer `grpc-status` has its number. */
  readonly code: CanonicalCode;
  /** The trailer `grpc-message`, before it is percent-encoded. */
  readonly message: string;
  /** The trailer {@link detailsTrailer}; undefined where code and message say all. */
  readonly details: Uint8Array | undefined;
}

/** The status that carries an error; what does not fit into metadata is left out, see {@link fittingMessage} and {@link fittingDetails}. */
export function statusOf(error: CallError): GrpcStatus {
  const message = fittingMessage(error.message);
  const details = isWithoutDetails(error.details) ? undefined : fittingDetails(error, message);
  return { code: error.code, message, details };
}

/** The end of a call that failed. */
export interface Failure {
  readonly status: GrpcStatus;
  /** What its handler wants to send beside it. */
  readonly metadata: Metadata | undefined;
}

/** The same for whatever a service threw. */
export function failureOf(thrown: unknown, call: ServerCall): Failure {
  const error = CallError.from(thrown);
  try {
    return { metadata: call.metadataToSend(), status: statusOf(error) };
  } catch (unsendable) {
    return { metadata: undefined, status: statusOf(CallError.from(unsendable)) };
  }
}

/** The error in the trailer {@link detailsTrailer}; undefined if it cannot be read: code and message are there all the same. */
export function errorInDetails(details: Uint8Array, cause: unknown): CallError | undefined {
  try {
    return rpcStatusFromBinary(details, cause);
  } catch {
    return undefined;
  }
}
