// The errors of calls that end before their answer, in the same words on every style and at both ends.
import { CallError } from "./call-error.ts";

/**
 * Milliseconds that count as never: a deadline this far away is none. A timer takes one millisecond less at most, and so do
 * gRPC's servers.
 */
export const endlessMs = 2 ** 31;

/** The caller's time is up. */
export function deadlineExceeded(): CallError {
  return new CallError("DEADLINE_EXCEEDED", "deadline exceeded");
}

/** The caller gave the call up. */
export function callerCancelled(): CallError {
  return new CallError("CANCELLED", "the caller cancelled the call");
}

/** The call was made on a client that is closed. */
export function clientClosed(options?: ErrorOptions): CallError {
  return new CallError("CANCELLED", "the client is closed", {}, options);
}
