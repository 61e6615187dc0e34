// One call that a fake has received, over any style.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";
import type { NearStub } from "../stubs/near-stubs.ts";

/** Headers by name, in lower case. Those that may contain credentials are masked. */
export type ShownHeaders = Readonly<Record<string, string>>;

export interface CallRecord {
  /** The number of the call, from 1, in the order in which calls of the session began. */
  readonly index: number;
  readonly session: string;
  /** The operation's id. */
  readonly operation: string;
  /** The headers that came with the call (its metadata, in gRPC), without those of the protocols. */
  readonly headers: ShownHeaders;
  /** In ProtoJSON: one request, or those that were read of a stream. Fields that the contract marks `debug_redact` are masked. */
  readonly requests: readonly JsonValue[];
  /** In ProtoJSON: none if the call failed at once, several for a stream. Masked as requests are. */
  readonly responses: readonly JsonValue[];
  /** The number of messages that are counted in bytes but not kept: those after the first thousand of a stream, and those that are too large. */
  readonly omittedMessages: number;
  /** The headers that were sent with the answer or the error. */
  readonly answerHeaders: ShownHeaders;
  /** If the operation has stubs and none matched: those with the fewest differences, the nearest first. Otherwise empty. */
  readonly nearStubs: readonly NearStub[];
  readonly outcome: CanonicalCode | "OK";
  /** The error message that the caller received; empty on success. */
  readonly message: string;
  /** What the fake itself threw, with its stack, if the outcome is INTERNAL for that reason; empty otherwise. Callers do not receive it. */
  readonly cause: string;
  /** The error details that programs received, masked as messages are; empty if there are none. */
  readonly details: Partial<ErrorDetails>;
  /** The size in protobuf's binary format, the same for every style. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Calls of one exchange, such as the fields of one GraphQL document, have the same number. */
  readonly roundTrip: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
