// A call during and after its execution, and the interceptor that keeps every call of a session in its log. A call is converted to ProtoJSON only when
// the log is read.
import { fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import {
  callerCancelled,
  CallError,
  clientAddress,
  type Contract,
  detachedMetadata,
  type Interceptor,
  isReservedMetadata,
  type KeptMetadata,
  maxMetadataBytes,
  type Metadata,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/names.ts";
import { keptDetails, redacting } from "../basics/redacted.ts";
import type { CompiledStub } from "../stubs/compiled-stub.ts";
import { shownHeaders } from "../stubs/text-conditions.ts";
import { type NearStub, nearStubs, unmatchedStubs } from "../stubs/near-stubs.ts";
import type { CallLog, CallRecord, KeptRecord, StartedCall } from "./call-log.ts";
import { KeptMessages } from "./kept-messages.ts";
import { ignoredIn, type Receiver, receiverOf, targetOf } from "./received-call.ts";
import { inspect } from "node:util";

interface LoggedCallOf {
  readonly log: CallLog;
  readonly session: string;
  readonly operation: Operation;
}

/** Without the headers of the protocols, and without the name of the session, which records have. Very long ones are cut. */
function ownHeaders(metadata: Metadata): Metadata {
  const own = new Map<string, string>();
  let characters = 0;
  for (const [name, value] of metadata) {
    if (name === sessionMetadataName || isReservedMetadata(name)) continue;
    characters += name.length + value.length;
    if (characters > maxMetadataBytes) break;
    own.set(name, value);
  }
  return own;
}

type Failure = Pick<CallRecord, "outcome" | "message" | "cause" | "details"> & { readonly bytes: number };

const success: Failure = { outcome: "OK", message: "", cause: "", details: {}, bytes: 0 };

const maxCauseLength = 8_192;

/** What the fake itself threw; empty for an error that somebody meant. */
function causeOf({ code, cause }: CallError): string {
  return code === "INTERNAL" && cause !== undefined ? inspect(cause).slice(0, maxCauseLength) : "";
}

/** The wall-clock time when the monotonic clock was zero, in milliseconds since 1970. */
const { timeOrigin } = performance;

/** The metadata of the answer; undefined if there is none, or if it is invalid, which the style reports to the caller. */
function metadataOf(call: ServerCall): Metadata | undefined {
  try {
    return call.metadataToSend();
  } catch {
    return undefined;
  }
}

const members = [
  "index",
  "session",
  "operation",
  "server",
  "style",
  "client",
  "forwardedTo",
  "headers",
  "requests",
  "responses",
  "omittedMessages",
  "answerHeaders",
  "nearStubs",
  "ignoredFields",
  "outcome",
  "message",
  "cause",
  "details",
  "requestBytes",
  "responseBytes",
  "roundTrip",
  "startedAt",
  "durationMs",
] as const satisfies readonly (keyof CallRecord)[];

/** Members that are converted only when they are read, and that lists do without. */
type LongMember = "headers" | "requests" | "responses" | "answerHeaders" | "nearStubs";

const longMembers: ReadonlySet<string> = new Set<LongMember>([
  "headers",
  "requests",
  "responses",
  "answerHeaders",
  "nearStubs",
]);

function pick<K extends keyof CallRecord>(record: CallRecord, names: readonly K[]): Pick<CallRecord, K> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as unknown as Pick<CallRecord, K>;
}

/** A call without its messages, headers and near stubs, for lists. */
export function summaryOf(record: CallRecord): Omit<CallRecord, LongMember> {
  return pick(
    record,
    members.filter((name) => !longMembers.has(name)),
  );
}

class LoggedCall implements KeptRecord, StartedCall {
  readonly index: number;
  readonly roundTrip: number;
  readonly session: string;
  readonly client: string;
  readonly log: CallLog;
  readonly received: KeptMessages;
  readonly answered: KeptMessages;
  readonly #operation: Operation;
  readonly #receiver: Receiver;
  readonly #kept: KeptMetadata;
  #metadata: Metadata | undefined;
  #answered: KeptMetadata | undefined;
  #unmatched: readonly CompiledStub[] | undefined;
  #near: readonly NearStub[] | undefined;
  readonly #startedMs = performance.now();
  #durationMs = 0;
  #forwardedTo = "";
  #ignored: readonly string[] = [];
  #failure = success;
  #isUnsent = false;

  constructor({ log, session, operation }: LoggedCallOf, call: ServerCall) {
    const { metadata } = call;
    this.log = log;
    this.session = session;
    this.#operation = operation;
    this.#receiver = receiverOf(call);
    this.client = clientAddress(call.connection);
    this.index = log.nextIndex();
    this.roundTrip = log.roundTripOf(metadata, this);
    this.#kept = detachedMetadata(metadata);
    this.received = new KeptMessages(operation.input);
    this.answered = new KeptMessages(operation.output);
  }

  get operation(): string {
    return this.#operation.id;
  }

  get server(): string {
    return this.#receiver.server;
  }

  get style(): string {
    return this.#receiver.style;
  }

  get forwardedTo(): string {
    return this.#forwardedTo;
  }

  get requests(): readonly JsonValue[] {
    return this.received.json(this.log.contract);
  }

  get responses(): readonly JsonValue[] {
    return this.answered.json(this.log.contract);
  }

  /** The headers of the request with their values, for assertions in the same process. */
  get metadata(): Metadata {
    return (this.#metadata ??= ownHeaders(this.#kept.metadata));
  }

  get headers(): CallRecord["headers"] {
    return shownHeaders(this.metadata);
  }

  get answerHeaders(): CallRecord["answerHeaders"] {
    return this.#answered === undefined ? {} : shownHeaders(ownHeaders(this.#answered.metadata));
  }

  get nearStubs(): CallRecord["nearStubs"] {
    const [first] = this.received.all;
    if (this.#unmatched === undefined || first === undefined) return [];
    return (this.#near ??= nearStubs(this.#unmatched, first, this.#kept.metadata));
  }

  get ignoredFields(): readonly string[] {
    return this.#ignored;
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

  get cause(): string {
    return this.#failure.cause;
  }

  get details(): CallRecord["details"] {
    return this.#failure.details;
  }

  get keptBytes(): number {
    const headers = this.#kept.bytes + (this.#answered?.bytes ?? 0);
    return this.received.keptBytes + this.answered.keptBytes + this.#failure.bytes + headers;
  }

  /** Ends the call. @param error why it failed; undefined on success */
  end(call: ServerCall, error: CallError | undefined): void {
    this.#durationMs = performance.now() - this.#startedMs;
    this.#unmatched = unmatchedStubs(call);
    this.#forwardedTo = targetOf(call);
    this.#ignored = ignoredIn(call);
    const answered = metadataOf(call);
    // A copy, since styles may still change it.
    if (answered !== undefined) this.#answered = detachedMetadata(new Map(answered));
    if (error !== undefined && !this.#isUnsent) this.#failure = this.#failureOf(error);
  }

  /** The style cannot express the answer, and sends the error instead. The log has counted the bytes of a call that has ended. */
  failToSend(error: CallError): void {
    this.#isUnsent = true;
    this.#failure = { ...this.#failureOf(error), bytes: this.#failure.bytes };
  }

  #failureOf(error: CallError): Failure {
    const { code, message } = error;
    const details = keptDetails(this.#operation.input, error.details, redacting);
    // Removes the stack trace, which is larger than what a log should keep.
    const cause = causeOf(error);
    const bytes = message.length + cause.length + JSON.stringify(details).length;
    return { outcome: code, message, cause, details, bytes };
  }

  /** As plain data, for printing and for assertion diffs. */
  [inspect.custom](): CallRecord {
    return this.toJSON();
  }

  /** The complete record as plain data. */
  toJSON(): CallRecord {
    return pick(this, members);
  }
}

/**
 * The requests of a recorded call as messages, with the values that a log masks. One that could not be expressed in ProtoJSON is missing if the record
 * is plain data.
 */
export function requestsOf(record: CallRecord, { input }: Operation, { registry }: Contract): readonly Message[] {
  if (record instanceof LoggedCall) return record.received.all;
  return record.requests.flatMap((request) => {
    try {
      return [fromJson(input, request, { registry })];
    } catch {
      return [];
    }
  });
}

/** The headers of a recorded call with their values. */
export function headersOf(record: CallRecord): Metadata {
  return record instanceof LoggedCall ? record.metadata : new Map(Object.entries(record.headers));
}

async function* loggedRequests(requests: AsyncIterable<Message>, logged: LoggedCall): AsyncGenerator<Message> {
  for await (const request of requests) {
    logged.received.add(request);
    yield request;
  }
}

/** Logs each call before its caller sees that it has ended. */
export function logging(log: CallLog, session: string): Interceptor {
  const begin = (operation: Operation, call: ServerCall): LoggedCall => {
    const logged = new LoggedCall({ log, session, operation }, call);
    call.whenUnsent((error) => logged.failToSend(error));
    return logged;
  };
  const end = (logged: LoggedCall, call: ServerCall, error?: CallError): void => {
    logged.end(call, error);
    log.add(logged);
  };
  const fail = (logged: LoggedCall, call: ServerCall, thrown: unknown): never => {
    const error = CallError.from(thrown, logged.operation);
    end(logged, call, error);
    throw error;
  };
  const answer = (logged: LoggedCall, call: ServerCall, response: Message): Message => {
    logged.answered.add(response);
    end(logged, call);
    return response;
  };
  return (service: Service): Service => ({
    contract: service.contract,
    guard: (beside) => service.guard(beside),
    call(operation, request, call) {
      const logged = begin(operation, call);
      logged.received.add(request);
      let answered: Message | Promise<Message>;
      try {
        answered = service.call(operation, request, call);
      } catch (thrown) {
        return fail(logged, call, thrown);
      }
      if (!(answered instanceof Promise)) return answer(logged, call, answered);
      return answered.then(
        (response) => answer(logged, call, response),
        (thrown: unknown) => fail(logged, call, thrown),
      );
    },
    async *stream(operation, requests, call) {
      const logged = begin(operation, call);
      // The default until the end is known: a reader that stops early ends the stream without an error.
      let outcome: CallError | undefined = callerCancelled();
      try {
        for await (const response of service.stream(operation, loggedRequests(requests, logged), call)) {
          logged.answered.add(response);
          // A caller that expects one answer reads no further.
          if (operation.kind === "client_streaming") outcome = undefined;
          yield response;
        }
        outcome = undefined;
      } catch (thrown) {
        outcome = CallError.from(thrown, operation.id);
        throw outcome;
      } finally {
        end(logged, call, outcome);
      }
    },
  });
}
