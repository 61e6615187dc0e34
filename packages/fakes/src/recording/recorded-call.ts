// A call while it is made and after it. It is told in ProtoJSON to whoever asks: what only shows then is worked out then.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CallError, Metadata, Operation } from "@roundtrip/contract";
import { inspect } from "node:util";
import type { BegunCall, CallLog, KeptRecord } from "./call-log.ts";
import type { CallRecord } from "./call-record.ts";
import type { Keep } from "./kept-message.ts";
import { keptDetails } from "./kept-details.ts";

/** What all calls of an operation in a session have in common. */
export interface RecordedOperation {
  readonly log: CallLog;
  readonly session: string;
  readonly operation: Operation;
  readonly keepRequest: Keep;
  readonly keepResponse: Keep;
}

type Failure = Pick<CallRecord, "outcome" | "message" | "details"> & { readonly bytes: number };

const success: Failure = { outcome: "OK", message: "", details: {}, bytes: 0 };

/** What the clock of durations began with, in milliseconds since 1970. */
const { timeOrigin } = performance;

export abstract class RecordedCall implements KeptRecord, BegunCall {
  readonly index: number;
  readonly roundTrip: number;
  protected readonly of: RecordedOperation;
  readonly #startedMs = performance.now();
  #durationMs = 0;
  #failure = success;

  constructor(of: RecordedOperation, metadata: Metadata) {
    this.of = of;
    this.index = of.log.nextIndex();
    this.roundTrip = of.log.roundTripOf(metadata, this);
  }

  abstract get requests(): readonly JsonValue[];
  abstract get responses(): readonly JsonValue[];
  abstract get omittedMessages(): number;
  abstract get requestBytes(): number;
  abstract get responseBytes(): number;
  protected abstract get messageBytes(): number;

  get log(): CallLog {
    return this.of.log;
  }

  get session(): string {
    return this.of.session;
  }

  get operation(): string {
    return this.of.operation.id;
  }

  get startedAt(): number {
    return timeOrigin + this.#startedMs;
  }

  get durationMs(): number {
    return this.#durationMs;
  }

  get outcome(): CallRecord["outcome"] {
    return this.#failure.outcome;
  }

  get message(): string {
    return this.#failure.message;
  }

  get details(): CallRecord["details"] {
    return this.#failure.details;
  }

  get keptBytes(): number {
    return this.messageBytes + this.#failure.bytes;
  }

  /** The call is over. @param error why it failed; undefined when it did not. */
  end(error: CallError | undefined): void {
    this.#durationMs = performance.now() - this.#startedMs;
    if (error === undefined) return;
    const { code, message } = error;
    const details = keptDetails(this.of.operation.input, error.details);
    // The error itself knows where it was thrown: more than a log has to keep.
    this.#failure = { outcome: code, message, details, bytes: message.length + JSON.stringify(details).length };
  }

  /** As data where it is printed, or stands in the difference that an assertion shows. */
  [inspect.custom](): CallRecord {
    return this.toJSON();
  }

  /** All of it, as data. */
  toJSON(): CallRecord {
    const { index, session, operation, requests, responses, omittedMessages, outcome, message, details } = this;
    const { requestBytes, responseBytes, roundTrip, startedAt, durationMs } = this;
    return {
      index,
      session,
      operation,
      requests,
      responses,
      omittedMessages,
      outcome,
      message,
      details,
      requestBytes,
      responseBytes,
      roundTrip,
      startedAt,
      durationMs,
    };
  }
}
