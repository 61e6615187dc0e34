// A call during and after its execution. It is converted to ProtoJSON only when the log is read.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CallError, Metadata, Operation } from "@roundtrip/contract";
import { inspect } from "node:util";
import type { StartedCall, CallLog, KeptRecord } from "./call-log.ts";
import type { CallRecord } from "./call-record.ts";
import type { Keep } from "./kept-message.ts";
import { keptDetails } from "./kept-details.ts";

/** What all calls of an operation in a session share. */
export interface RecordedOperation {
  readonly log: CallLog;
  readonly session: string;
  readonly operation: Operation;
  readonly keepRequest: Keep;
  readonly keepResponse: Keep;
}

type Failure = Pick<CallRecord, "outcome" | "message" | "details"> & { readonly bytes: number };

const success: Failure = { outcome: "OK", message: "", details: {}, bytes: 0 };

/** The wall-clock time when the monotonic clock was zero, in milliseconds since 1970. */
const { timeOrigin } = performance;

export abstract class RecordedCall implements KeptRecord, StartedCall {
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

  /** Ends the call. @param error why it failed; undefined on success */
  end(error: CallError | undefined): void {
    this.#durationMs = performance.now() - this.#startedMs;
    if (error === undefined) return;
    const { code, message } = error;
    const details = keptDetails(this.of.operation.input, error.details);
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
