// Repeated requests (AIP-155): a request with the `request_id` of an earlier one gets that one's answer, and changes nothing again.
import type { Message } from "@bufbuild/protobuf";
import {
  bytesInMemory,
  CallError,
  type Contract,
  type Handler,
  type Operation,
  type StoredMemory,
} from "@roundtrip/contract";
import { textProperty, trialProperty } from "./request-properties.ts";
import { type EarlierService, rereading, Unreadable, whyNot } from "./reread.ts";

/** How many answers a session remembers; the oldest are forgotten first, also where memory is full. */
const mostAnswers = 1_000;

/** The answers of one session to requests with an id. */
export class AnsweredRequests {
  readonly #memory: StoredMemory;
  readonly #answers = new Map<string, { readonly answer: Message; readonly bytes: number }>();

  constructor(memory: StoredMemory) {
    this.#memory = memory;
  }

  find(key: string): Message | undefined {
    return this.#answers.get(key)?.answer;
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

/** The handler with remembered answers, for an operation whose requests may have an id. Errors and trials are not remembered. */
export function rememberingRequests(operation: Operation, handler: Handler, answered: AnsweredRequests): Handler {
  const idOf = operation.sideEffects === "none" ? undefined : textProperty(operation.input, ["request_id"]);
  if (idOf === undefined) return handler;
  const isTrial = trialProperty(operation.input);
  /** By id. Requests with the same id wait for the answer, or are tried themselves after an error. */
  const inFlight = new Map<string, Promise<Message>>();
  const remembering: Handler = (request, call) => {
    const id = idOf(request);
    if (id === "" || isTrial(request)) return handler(request, call);
    const key = `${operation.id} ${id}`;
    const before = answered.find(key);
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
