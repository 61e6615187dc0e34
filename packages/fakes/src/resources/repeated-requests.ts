// Repeated requests (AIP-155): a request with the `request_id` of an earlier one gets that one's answer, and changes nothing again.
import type { Message } from "@bufbuild/protobuf";
import { bytesInMemory, CallError, type Handler, type Operation, type StoredMemory } from "@roundtrip/contract";
import { flagProperty, textProperty } from "./request-properties.ts";

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
    if (this.#answers.size >= mostAnswers) this.#forgetOldest();
    while (!this.#takes(bytes)) if (!this.#forgetOldest()) return;
    this.#answers.set(key, { answer, bytes });
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

  #forgetOldest(): boolean {
    for (const [key, { bytes }] of this.#answers) {
      this.#answers.delete(key);
      this.#memory.take(-bytes);
      return true;
    }
    return false;
  }
}

/** The handler with remembered answers, for an operation whose requests may have an id. Errors and trials are not remembered. */
export function rememberingRequests(operation: Operation, handler: Handler, answered: AnsweredRequests): Handler {
  const idOf = operation.sideEffects === "none" ? undefined : textProperty(operation.input, ["request_id"]);
  if (idOf === undefined) return handler;
  const isTrial = flagProperty(operation.input, ["validate_only", "dry_run"]);
  return (request, call) => {
    const id = idOf(request);
    if (id === "" || isTrial(request)) return handler(request, call);
    const key = `${operation.id} ${id}`;
    const before = answered.find(key);
    if (before !== undefined) return before;
    const remember = (answer: Message): Message => {
      answered.add(key, answer);
      return answer;
    };
    const answer = handler(request, call);
    return answer instanceof Promise ? answer.then(remember) : remember(answer);
  };
}
