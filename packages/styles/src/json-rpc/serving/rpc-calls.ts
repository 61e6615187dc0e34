// The calls of one HTTP request: one, or those of a batch. They share its headers, its deadline and the connection.
import type { Message } from "@bufbuild/protobuf";
import { ConnectionCut, ServerCall } from "@roundtrip/contract";
import { HeaderMap } from "../../shared/header-map.ts";
import type { AnswerHeaders } from "../../shared/http/http-answer.ts";
import { deadlineHeader, deadlineOf } from "../../shared/http/http-deadline.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

export class RpcCalls {
  readonly #deadline: string | string[] | undefined;
  readonly #metadata: HeaderMap<ReceivedRequest>;
  readonly #arrivedAtMs: number;
  #waiting: Set<ServerCall> | undefined;
  #headers: Record<string, string> | undefined;
  #cut: "before" | "inside" | undefined;
  #isCancelled = false;

  constructor(request: ReceivedRequest) {
    this.#metadata = new HeaderMap(request, distinctHeaders, lacksHeader);
    this.#deadline = request.headers[deadlineHeader];
    this.#arrivedAtMs = this.#deadline === undefined ? 0 : performance.now();
  }

  /** The answer metadata of the calls; the different values of one name are joined. Undefined without any. */
  get headers(): AnswerHeaders | undefined {
    return this.#headers;
  }

  /** How a handler has cut off the connection; undefined if none did. */
  get cut(): "before" | "inside" | undefined {
    return this.#cut;
  }

  /** An answer whose begin should be sent cannot be written: nothing is sent. */
  dropAnswer(): void {
    this.#cut = "before";
  }

  /**
   * Runs a call until its deadline or until the caller disconnects. Watches only calls that do not answer at once. Throws or rejects with a CallError:
   * if the call has ended, INVALID_ARGUMENT for a malformed deadline, or what `answer` throws.
   */
  answerCall<T extends Message | object>(answer: (call: ServerCall) => T | Promise<T>): T | Promise<T> {
    const call = this.#begin();
    let answered: T | Promise<T>;
    try {
      answered = answer(call);
    } catch (thrown) {
      return this.#failed(call, thrown) as T;
    }
    if (!(answered instanceof Promise)) {
      this.#finish(call);
      return answered;
    }
    const waiting = (this.#waiting ??= new Set());
    waiting.add(call);
    return answered.then(
      (value) => {
        waiting.delete(call);
        this.#finish(call);
        return value;
      },
      (thrown: unknown) => {
        waiting.delete(call);
        return this.#failed(call, thrown) as T;
      },
    );
  }

  /** The caller has disconnected. */
  cancel(): void {
    this.#isCancelled = true;
    for (const call of this.#waiting ?? []) call.cancel();
  }

  #begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(timeoutMs === undefined ? undefined : timeoutMs - waitedMs, this.#metadata);
    if (this.#isCancelled) call.cancel();
    call.throwIfEnded();
    return call;
  }

  /** Ends a call and keeps its metadata. Throws INTERNAL for invalid metadata. */
  #finish(call: ServerCall): void {
    call.finish();
    const metadata = call.metadataToSend();
    if (metadata === undefined) return;
    const headers = (this.#headers ??= {});
    for (const [name, value] of metadata) {
      const others = Object.hasOwn(headers, name) ? headers[name] : undefined;
      if (others === undefined) headers[name] = value;
      else if (!others.split(", ").includes(value)) headers[name] = `${others}, ${value}`;
    }
  }

  /** Returns the message of an answer to cut off; throws otherwise. */
  #failed(call: ServerCall, thrown: unknown): Message {
    this.#finish(call);
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    if (thrown.partOf === undefined) {
      this.#cut = "before";
      throw thrown;
    }
    this.#cut ??= "inside";
    return thrown.partOf;
  }
}
