// The errors of calls that end before their answer, in the same words on every style and at both ends.
import { CallError } from "../basics/call-error.ts";
import type { Message } from "@bufbuild/protobuf";

/**
 * Thrown instead of an answer. The stack closes the call's connection. With `partOf`, it first sends headers and the first part of that
 * message; without it, nothing more is sent. Callers get UNAVAILABLE. Code that does not know connections treats it as that error.
 */
export class ConnectionCut extends CallError {
  readonly partOf: Message | undefined;

  constructor(partOf?: Message) {
    super("UNAVAILABLE", "the connection was cut");
    this.partOf = partOf;
  }
}

/**
 * A deadline of this many milliseconds or more counts as no deadline: the maximum of a Node.js timer and of gRPC's servers is one
 * millisecond less.
 */
export const endlessMs = 2 ** 31;

/** The error of a call whose deadline has passed. */
export function deadlineExceeded(): CallError {
  return new CallError("DEADLINE_EXCEEDED", "deadline exceeded");
}

export function callerCancelled(): CallError {
  return new CallError("CANCELLED", "the caller cancelled the call");
}

export function clientClosed(options?: ErrorOptions): CallError {
  return new CallError("CANCELLED", "the client is closed", {}, options);
}
