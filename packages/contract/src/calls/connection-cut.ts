// The error by which a service asks its stack to close the connection instead of answering.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";

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
