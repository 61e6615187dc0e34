// A call during and after its execution. It is converted to ProtoJSON only when the log is read.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CallError, Metadata, Operation } from "@roundtrip/contract";
import { inspect } from "node:util";
import type { StartedCall, CallLog, KeptRecord } from "./call-log.ts";
import type { CallRecord } from "./call-record.ts";
import { KeptMessages } from "./kept-messages.ts";
import { keptDetails } from "./redacted.ts";

/** How a call is recorded. */
export interface RecordingOf {
  readonly log: CallLog;
  readonly session: string;
  readonly operation: Operation;
  /** Whether messages may change during or after the call. All others are kept without a copy. */
  readonly mayChange: boolean;
}

type Failure = Pick<CallRecord, "outcome" | "message" | "details"> & { readonly bytes: number };

const success: Failure = { outcome: "OK", message: "", details: {}, bytes: 0 };

/** The wall-clock time when the monotonic clock was zero, in milliseconds since 1970. */
const { timeOrigin } = performance;

export class RecordedCall implements KeptRecord, StartedCall {
  readonly index: number;
  readonly roundTrip: number;
  readonly session: string;
  readonly log: CallLog;
  readonly received: KeptMessages;
  readonly answered: KeptMessages;
  readonly #operation: Operation;
  readonly #startedMs = performance.now();
  #durationMs = 0;
  #failure = success;

  constructor({ log, session, operation, mayChange }: RecordingOf, metadata: Metadata) {
    this.log = log;
    this.session = session;
    this.#operation = operation;
    this.index = log.nextIndex();
    this.roundTrip = log.roundTripOf(metadata, this);
    this.received = new KeptMessages(operation.input, mayChange);
    this.answered = new KeptMessages(operation.output, mayChange);
  }

  get operation(): string {
    return this.#operation.id;
  }

  get requests(): readonly JsonValue[] {
    return this.received.json(this.log.contract);
  }

  get responses(): readonly JsonValue[] {
    return this.answered.json(this.log.contract);
  }

  get omittedMessages(): number {
    return this.received.omitted + this.answered.omitted;
  }

  get requestBytes(): number {
    return this.received.bytes;
  }

  get responseBytes(): number {
    return this.answered.bytes;
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
    return this.received.keptBytes + this.answered.keptBytes + this.#failure.bytes;
  }

  /** Ends the call. @param error why it failed; undefined on success */
  end(error: CallError | undefined): void {
    this.#durationMs = performance.now() - this.#startedMs;
    if (error === undefined) return;
    const { code, message } = error;
    const details = keptDetails(this.#operation.input, error.details);
    // Removes the stack trace, which is larger than what a log should keep.
    this.#failure = { outcome: code, message, details, bytes: message.length + JSON.stringify(details).length };
  }

  /** As plain data, for printing and for assertion diffs. */
  [inspect.custom](): CallRecord {
    return this.toJSON();
  }

  /** The complete record as plain data. */
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
