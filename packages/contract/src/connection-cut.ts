// An answer that never comes whole, because its connection is cut on purpose: how a service asks a stack for that.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "./call-error.ts";

/**
 * Thrown in place of an answer. A stack closes the connection that the call came on, after the beginning of `partOf` has gone out: headers
 * and a part of what the message is there. Without it nothing of an answer goes out, or of a stream no more than has. Callers see
 * UNAVAILABLE, and whoever knows no connections takes it for just that.
 */
export class ConnectionCut extends CallError {
  readonly partOf: Message | undefined;

  constructor(partOf?: Message) {
    super("UNAVAILABLE", "the connection was cut");
    this.partOf = partOf;
  }
}
