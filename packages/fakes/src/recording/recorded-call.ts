// A call while it is made and after it. It is told in ProtoJSON to whoever asks: what only shows then is worked out then.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CallError, Contract, Operation } from "@roundtrip/contract";
import { inspect } from "node:util";
import type { CallRecord } from "./call-record.ts";
import { keptDetails } from "./kept-details.ts";

/** What is known of a call when it begins. */
export interface BegunCall {
  readonly index: number;
  readonly roundTrip: number;
  readonly session: string;
  readonly operation: Operation;
  readonly contract: Contract;
}

type Failure = Pick<CallRecord, "outcome" | "message" | "details">;

const success: Failure = { outcome: "OK", message: "", details: {} };

export abstract class RecordedCall implements CallRecord {
  readonly index: number;
  readonly roundTrip: number;
  readonly session: string;
  readonly startedAt: number;
  protected readonly of: Operation;
  protected readonly contract: Contract;
  #failure = success;
  #failureBytes = 0;
  #durationMs = 0;

  constructor({ index, roundTrip, session, operation, contract }: BegunCall) {
    this.index = index;
    this.roundTrip = roundTrip;
    this.session = session;
    this.of = operation;
    this.contract = contract;
    this.startedAt = performance.timeOrigin + performance.now();
  }

  abstract get requests(): readonly JsonValue[];
  abstract get responses(): readonly JsonValue[];
  abstract get omittedMessages(): number;
  abstract get requestBytes(): number;
  abstract get responseBytes(): number;
  protected abstract get messageBytes(): number;

  get operation(): string {
    return this.of.id;
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

  get durationMs(): number {
    return this.#durationMs;
  }

  /** What keeping the call takes, of what differs from call to call. */
  get keptBytes(): number {
    return this.messageBytes + this.#failureBytes;
  }

  /** The call is over. @param error why it failed; undefined when it did not. */
  end(error: CallError | undefined): void {
    this.#durationMs = performance.timeOrigin + performance.now() - this.startedAt;
    if (error === undefined) return;
    const { code, message, details } = error;
    const kept = keptDetails(this.of.input, details);
    // The error itself knows where it was thrown: more than a log has to keep.
    this.#failure = { outcome: code, message, details: kept };
    this.#failureBytes = message.length + JSON.stringify(kept).length;
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
