// The latest calls of one session. The log is bounded by count and by bytes, and drops the oldest.
import type { JsonValue } from "@bufbuild/protobuf";
import { type CanonicalCode, type Contract, type ErrorDetails, type Metadata, ServerCall } from "@roundtrip/contract";
import type { NearStub } from "../stubs/near-stubs.ts";
import type { ReadableRefusals, Refusal } from "./refusal-log.ts";

/** Headers by name, in lower case. Those that may contain credentials are masked. */
export type ShownHeaders = Readonly<Record<string, string>>;

export interface CallRecord {
  /** The number of the call, from 1, in the order in which calls of the session began. */
  readonly index: number;
  readonly session: string;
  /** The operation's id. */
  readonly operation: string;
  /** The server that received it, by its name among the addresses of the fake, and its style, such as `rest`; both are `memory` without a server. */
  readonly server: string;
  readonly style: string;
  /** The client's address, such as `127.0.0.1:54321`; empty without a server. */
  readonly client: string;
  /** The URL of the server that answered a forwarded call; empty for an answer of the fake. */
  readonly forwardedTo: string;
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
  /** The fields that a request for a list sets, and that the fake does not apply to it, by name. */
  readonly ignoredFields: readonly string[];
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

/** A log that uses the shared memory. */
interface Log {
  readonly keptBytes: number;
  /** Removes the oldest calls until at most this many bytes are left. */
  shrinkTo(bytes: number): void;
}

/** The share of the largest log that stays. It drops many calls at once, because a search for each call would take longer than the call. */
const keptShare = 0.75;

export class LogMemory {
  readonly #maxBytes: number;
  readonly #logs = new Set<Log>();
  #takenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  enter(log: Log): void {
    this.#logs.add(log);
  }

  leave(log: Log): void {
    if (this.#logs.delete(log)) this.#takenBytes -= log.keptBytes;
  }

  /** Counts the bytes that a log adds, or removes if negative. Logs that have left are not counted. */
  take(log: Log, bytes: number): void {
    if (!this.#logs.has(log)) return;
    this.#takenBytes += bytes;
    while (this.#takenBytes > this.#maxBytes) {
      const [largest] = [...this.#logs].toSorted((kept, next) => next.keptBytes - kept.keptBytes);
      if (largest === undefined || largest.keptBytes === 0) return;
      largest.shrinkTo(Math.floor(largest.keptBytes * keptShare));
    }
  }
}

/** A log of calls that can be read, with the requests that did not become calls. */
export interface ReadableLog extends ReadableRefusals {
  readonly contract: Contract;
  /** In the order in which they began. */
  readonly records: readonly CallRecord[];
  /** The number of calls that were dropped because the log was full. Clearing the log resets it. */
  readonly dropped: number;
  clear(): void;
  /** Calls the listener for each call that has ended. Returns a function that removes the listener. */
  onRecord(listener: (record: CallRecord) => void): () => void;
}

/** A record with its size in memory. */
export interface KeptRecord extends CallRecord {
  readonly keptBytes: number;
}

export interface StartedCall {
  readonly log: CallLog;
  readonly roundTrip: number;
}

export interface CallLogLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/** The garbage collector moves what is kept: ten times as many records measurably slow calls down. */
export const callLogLimits = { maxRecords: 1_000, maxBytes: 16 * 1024 * 1024 } as const satisfies CallLogLimits;

export interface SessionRefusals extends ReadableRefusals {
  clear(): void;
}

/** A log of its own, for calls that no server receives. */
const noRefusals: SessionRefusals = { refusals: [], onRefusal: () => () => undefined, clear: () => undefined };

export interface SharedLogs {
  /** The memory limit of all logs. Default: only the log's own limits apply. */
  readonly memory: LogMemory;
  readonly refusals: SessionRefusals;
}

/** The size of a record without its messages. */
const recordBytes = 512;

/**
 * The first call that came with this metadata, which the calls of one exchange share. It is a property of the metadata itself: a weak map with an
 * entry for every call would cost the garbage collector several times more than recording.
 */
const exchangeKey = Symbol("exchange");

interface MarkedMetadata extends Metadata {
  [exchangeKey]?: StartedCall;
}

/** An error of a listener does not fail the call: it becomes a warning of the process. */
function notify(listener: (record: CallRecord) => void, record: CallRecord): void {
  try {
    listener(record);
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
  }
}

/** The metadata of calls without any; unrelated calls share it, so it makes no exchange. */
const nobodys = new ServerCall().metadata;

export class CallLog implements ReadableLog {
  /** Changes with that of its session. */
  contract: Contract;
  readonly #limits: CallLogLimits;
  readonly #memory: LogMemory;
  readonly #refusals: SessionRefusals;
  readonly #listeners = new Set<(record: CallRecord) => void>();
  #begun = 0;
  #exchanges = 0;
  /** In the order in which they ended. */
  readonly #records: KeptRecord[] = [];
  #keptBytes = 0;
  #dropped = 0;

  constructor(contract: Contract, limits: CallLogLimits = callLogLimits, shared: Partial<SharedLogs> = {}) {
    const { memory = new LogMemory(Infinity), refusals = noRefusals } = shared;
    this.contract = contract;
    this.#limits = limits;
    this.#memory = memory;
    this.#refusals = refusals;
    memory.enter(this);
  }

  get refusals(): readonly Refusal[] {
    return this.#refusals.refusals;
  }

  onRefusal(listener: (refusal: Refusal) => void): () => void {
    return this.#refusals.onRefusal(listener);
  }

  get records(): readonly CallRecord[] {
    return this.#records.toSorted((record, next) => record.index - next.index);
  }

  get dropped(): number {
    return this.#dropped;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Reserves the number of a call that begins. */
  nextIndex(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /** The exchange of a call: calls that share their metadata object came in one exchange. */
  roundTripOf(metadata: MarkedMetadata, call: StartedCall): number {
    const first = metadata[exchangeKey];
    if (first !== undefined && first.log === this) return first.roundTrip;
    if (metadata !== nobodys) metadata[exchangeKey] = call;
    this.#exchanges += 1;
    return this.#exchanges;
  }

  add(record: KeptRecord): void {
    const { maxRecords, maxBytes } = this.#limits;
    const before = this.#keptBytes;
    this.#records.push(record);
    this.#keptBytes += record.keptBytes + recordBytes;
    while (this.#records.length > maxRecords || this.#keptBytes > maxBytes) this.#dropOldest();
    const more = this.#keptBytes - before;
    if (more !== 0) this.#memory.take(this, more);
    if (this.#listeners.size === 0) return;
    for (const listener of this.#listeners) notify(listener, record);
  }

  shrinkTo(bytes: number): void {
    const before = this.#keptBytes;
    while (this.#keptBytes > bytes) this.#dropOldest();
    this.#memory.take(this, this.#keptBytes - before);
  }

  clear(): void {
    this.shrinkTo(0);
    this.#refusals.clear();
    this.#dropped = 0;
  }

  onRecord(listener: (record: CallRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #dropOldest(): void {
    const oldest = this.#records.shift();
    if (oldest === undefined) return;
    this.#dropped += 1;
    this.#keptBytes -= oldest.keptBytes + recordBytes;
  }
}
