// A call while it is made and after it: what it brought and got is kept as bytes, and told in ProtoJSON to whoever asks.
import type { DescMessage, JsonValue, Message } from "@bufbuild/protobuf";
import type { CallError, Contract, Operation } from "@roundtrip/contract";
import type { CallPlace, KeptRecord } from "./call-log.ts";
import { inspect } from "node:util";
import { keptDetails } from "./kept-details.ts";
import { KeptMessages } from "./kept-messages.ts";

/** What is known of a call when it begins. */
interface BegunCall extends CallPlace {
  readonly session: string;
  readonly operation: Operation;
  readonly contract: Contract;
}

export class RecordedCall implements KeptRecord {
  readonly index: number;
  readonly session: string;
  readonly operation: string;
  readonly #input: DescMessage;
  readonly roundTrip: number;
  readonly startedAt: number;
  readonly #contract: Contract;
  readonly #requests: KeptMessages;
  readonly #responses: KeptMessages;
  #outcome: KeptRecord["outcome"] = "OK";
  #message = "";
  #details: KeptRecord["details"] = {};
  #failureBytes = 0;
  #durationMs = 0;

  constructor({ index, session, operation, roundTrip, contract }: BegunCall) {
    this.index = index;
    this.session = session;
    this.operation = operation.id;
    this.#input = operation.input;
    this.roundTrip = roundTrip;
    this.startedAt = performance.timeOrigin + performance.now();
    this.#contract = contract;
    this.#requests = new KeptMessages(operation.input);
    this.#responses = new KeptMessages(operation.output);
  }

  get requests(): readonly JsonValue[] {
    return this.#requests.json(this.#contract);
  }

  get responses(): readonly JsonValue[] {
    return this.#responses.json(this.#contract);
  }

  get omittedMessages(): number {
    return this.#requests.omitted + this.#responses.omitted;
  }

  get outcome(): KeptRecord["outcome"] {
    return this.#outcome;
  }

  get message(): string {
    return this.#message;
  }

  get details(): KeptRecord["details"] {
    return this.#details;
  }

  get requestBytes(): number {
    return this.#requests.bytes;
  }

  get responseBytes(): number {
    return this.#responses.bytes;
  }

  get durationMs(): number {
    return this.#durationMs;
  }

  get keptBytes(): number {
    return this.#requests.keptBytes + this.#responses.keptBytes + this.#failureBytes;
  }

  hearRequest(request: Message): void {
    this.#requests.add(request);
  }

  hearResponse(response: Message): void {
    this.#responses.add(response);
  }

  /** The call is over. @param error why it failed; undefined when it did not. */
  end(error: CallError | undefined): void {
    this.#durationMs = performance.timeOrigin + performance.now() - this.startedAt;
    if (error === undefined) return;
    this.#outcome = error.code;
    this.#message = error.message;
    this.#details = keptDetails(this.#input, error.details);
    this.#failureBytes = this.#message.length + JSON.stringify(this.#details).length;
  }

  /** As data where it is printed, or stands in the difference that an assertion shows. */
  [inspect.custom](): ReturnType<RecordedCall["toJSON"]> {
    return this.toJSON();
  }

  /** All of it, as data. */
  toJSON(): Omit<KeptRecord, "keptBytes"> {
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
