// One call as a fake has seen it, whatever style it came over.
import type { JsonObject } from "@bufbuild/protobuf";
import type { CanonicalCode } from "@roundtrip/contract";

export interface CallRecord {
  /** From 1 on, in the order in which calls of the session began. */
  readonly index: number;
  readonly session: string;
  /** The operation's id. */
  readonly operation: string;
  /** In ProtoJSON: one, or as many as were read of a stream. */
  readonly requests: readonly JsonObject[];
  /** In ProtoJSON: none of a call that failed at once, several of a stream. */
  readonly responses: readonly JsonObject[];
  readonly outcome: CanonicalCode | "OK";
  /** What the caller was told of a failure; empty otherwise. */
  readonly message: string;
  /** Of the messages in protobuf's binary format: the same for every style. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Calls that came in one exchange, as the fields of one GraphQL document do, have the same number. */
  readonly roundTrip: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
