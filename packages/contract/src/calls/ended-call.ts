// The errors of calls that end before their answer, in the same words on every style and at both ends.
import { CallError } from "../basics/call-error.ts";

/**
 * A deadline of this many milliseconds or more counts as no deadline: the maximum of a Node.js timer and of gRPC's servers is one
 * millisecond less.
 */
export const endlessMs = 2 ** 31;

/** The error of a call whose deadline has passed. */
export function deadlineExceeded(): CallError {
  return new CallError("DEADLINE_EXCEEDED", "deadline exceeded");
}

/** The error of a call that its caller has cancelled. */
export function callerCancelled(): CallError {
  return new CallError("CANCELLED", "the caller cancelled the call");
}

/** The error of a call on a closed client. */
export function clientClosed(options?: ErrorOptions): CallError {
  return new CallError("CANCELLED", "the client is closed", {}, options);
}
