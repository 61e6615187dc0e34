// One call as a fake has seen it, whatever style it came over.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";

export interface CallRecord {
  /** From 1 on, in the order in which calls of the session began. */
  readonly index: number;
  readonly session: string;
  /** The operation's id. */
  readonly operation: string;
  /** In ProtoJSON: one, or as many as were read of a stream. Fields that the contract marks `debug_redact` are masked. */
  readonly requests: readonly JsonValue[];
  /** In ProtoJSON: none of a call that failed at once, several of a stream. Masked as requests are. */
  readonly responses: readonly JsonValue[];
  /** Messages that are counted in bytes and not kept: those of a stream after the first thousand, and what is too large. */
  readonly omittedMessages: number;
  readonly outcome: CanonicalCode | "OK";
  /** What the caller was told of a failure; empty otherwise. */
  readonly message: string;
  /** What programs were told of a failure, as far as anything was said; masked as messages are, and empty otherwise. */
  readonly details: Partial<ErrorDetails>;
  /** Of the messages in protobuf's binary format: the same for every style. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Calls that came in one exchange, as the fields of one GraphQL document do, have the same number. */
  readonly roundTrip: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
