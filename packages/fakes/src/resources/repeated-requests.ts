// Repeated requests (AIP-155): a request with the id of an earlier one gets that one's answer, and changes nothing again. The id is in a field, or for
// equal requests in the header `Idempotency-Key`.
import type { Message } from "@bufbuild/protobuf";
import {
  bytesInMemory,
  CallError,
  type Contract,
  type Handler,
  type Operation,
  type StoredMemory,
} from "@roundtrip/contract";
import { requestBytes } from "../answers/draw.ts";
import { shortProperty, textProperty, trialProperty } from "./request-properties.ts";
import { type EarlierService, rereading, Unreadable, whyNot } from "./reread.ts";
import { crc32 } from "node:zlib";

const fieldNames = ["request_id", "idempotency_key"];
const headerName = "idempotency-key";

/** How many answers a session remembers; the oldest are forgotten first, also where memory is full. */
const mostAnswers = 1_000;

/** The answers of one session to requests with an id. */
export class AnsweredRequests {
  readonly #memory: StoredMemory;
  readonly #answers = new Map<string, { readonly answer: Message; readonly bytes: number }>();
  readonly #repeated = new WeakSet<Message>();

  constructor(memory: StoredMemory) {
    this.#memory = memory;
  }

  /** The answer to the earlier request, for the one that repeats it. */
  repeat(key: string): Message | undefined {
    const answer = this.#answers.get(key)?.answer;
    if (answer !== undefined) this.#repeated.add(answer);
    return answer;
  }

  /** Whether an answer was given to a repeated request, too. */
  hasRepeated(answer: Message): boolean {
    return this.#repeated.has(answer);
  }

  add(key: string, answer: Message): void {
    const bytes = bytesInMemory(key) + bytesInMemory(answer);
    this.#forget(key);
    if (this.#answers.size >= mostAnswers) this.#forgetOldest();
    while (!this.#takes(bytes)) if (!this.#forgetOldest()) return;
    this.#answers.set(key, { answer, bytes });
  }

  /** Takes over the answers of an earlier contract, and reports those that the operations of this one cannot give. */
  takeOver(earlier: AnsweredRequests, from: Contract, to: Contract, onReset: EarlierService["onReset"]): void {
    const reread = rereading(from, to);
    const forgotten: string[] = [];
    for (const [key, { answer }] of earlier.#answers) {
      const id = key.slice(0, key.indexOf(" "));
      const next = to.operations.find((operation) => operation.id === id);
      const why = whyNot(() => {
        if (next === undefined) throw new Unreadable(`${id} was removed`);
        this.add(key, reread(from.operation(id).output, next.output, answer));
      });
      if (why !== undefined) forgotten.push(why);
    }
    for (const [why, all] of Map.groupBy(forgotten, (reason) => reason))
      onReset({ names: ["repeated request", "repeated requests"], count: all.length, why });
  }

  #takes(bytes: number): boolean {
    try {
      this.#memory.take(bytes);
      return true;
    } catch (thrown) {
      if (thrown instanceof CallError) return false;
      throw thrown;
    }
  }

  #forget(key: string): void {
    this.#memory.take(-(this.#answers.get(key)?.bytes ?? 0));
    this.#answers.delete(key);
  }

  #forgetOldest(): boolean {
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#forget(oldest);
    return oldest !== undefined;
  }
}

/** The handler with remembered answers, for an operation with effects. Errors and trials are not remembered. */
export function rememberingRequests(operation: Operation, handler: Handler, answered: AnsweredRequests): Handler {
  if (operation.sideEffects === "none") return handler;
  const fields = fieldNames.map((name) => textProperty(operation.input, [name]) ?? (() => ""));
  const bytesOf = requestBytes(operation.input);
  // The calls of one GraphQL document share a header.
  const idInHeader = (request: Message, text = ""): string =>
    text === "" ? "" : `${shortProperty(headerName, text)} ${crc32(bytesOf(request))}`;
  const isTrial = trialProperty(operation.input);
  /** By id. Requests with the same id wait for the answer, or are tried themselves after an error. */
  const inFlight = new Map<string, Promise<Message>>();
  const remembering: Handler = (request, call) => {
    const sent = fields.map((read) => read(request)).find((text) => text !== "");
    const id = sent ?? idInHeader(request, call.metadata.get(headerName));
    if (id === "" || isTrial(request)) return handler(request, call);
    const key = `${operation.id} ${id}`;
    const before = answered.repeat(key);
    if (before !== undefined) return before;
    const earlier = inFlight.get(id);
    if (earlier !== undefined) return earlier.catch(() => remembering(request, call));
    const remember = (answer: Message): Message => {
      answered.add(key, answer);
      return answer;
    };
    const answer = handler(request, call);
    if (!(answer instanceof Promise)) return remember(answer);
    const pending = answer.then(remember).finally(() => inFlight.delete(id));
    inFlight.set(id, pending);
    return pending;
  };
  return remembering;
}
