// The calls of one HTTP request that may have several. They share its headers, its deadline and the connection.
import type { Message } from "@bufbuild/protobuf";
import { ConnectionCut, ServerCall } from "@roundtrip/contract";
import { type HeaderMap, deadlineOf } from "../call-headers.ts";

export abstract class SharedCalls<S> {
  readonly #deadline: string | string[] | undefined;
  readonly #metadata: HeaderMap<S>;
  readonly #arrivedAtMs: number;
  /** Calls without an answer yet: they are cancelled if the caller disconnects. */
  #waiting: Set<ServerCall> | undefined;

  constructor(metadata: HeaderMap<S>, deadline: string | string[] | undefined) {
    this.#metadata = metadata;
    this.#deadline = deadline;
    this.#arrivedAtMs = deadline === undefined ? 0 : performance.now();
  }

  /** Whether the caller has disconnected. */
  protected abstract readonly isGone: boolean;
  /** A header of the answer that an earlier call has set. */
  protected abstract headerOf(name: string): string | undefined;
  protected abstract setHeader(name: string, value: string): void;
  /** Closes the connection, before the answer or inside it. */
  protected abstract cutOff(place: "before" | "inside"): void;
  /** Called before the first call waits. */
  protected abstract beginWaiting(): void;

  /**
   * Runs a call until its deadline or until the caller disconnects. Watches only calls that do not answer at once. Throws or rejects with a
   * CallError: if the call has ended, INVALID_ARGUMENT for a malformed deadline, or what `answer` throws.
   */
  answerCall<T>(answer: (call: ServerCall) => T | Promise<T>): T | Promise<T> {
    const call = this.begin();
    let answered: T | Promise<T>;
    try {
      answered = answer(call);
    } catch (thrown) {
      this.#finish(call);
      return this.partOf(thrown) as T;
    }
    if (answered instanceof Promise) return this.#watch(call, answered);
    this.#finish(call);
    return answered;
  }

  /** Cancels the calls without an answer. */
  cancel(): void {
    for (const call of this.#waiting ?? []) call.cancel();
  }

  protected begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(timeoutMs === undefined ? undefined : timeoutMs - waitedMs, this.#metadata);
    if (this.isGone) call.cancel();
    call.throwIfEnded();
    return call;
  }

  protected watched(): Set<ServerCall> {
    if (this.#waiting === undefined) {
      this.#waiting = new Set();
      this.beginWaiting();
    }
    return this.#waiting;
  }

  /** Adds metadata to that of the other calls; the different values of one name are joined. Throws a CallError for invalid metadata. */
  protected sendMetadata(call: ServerCall): void {
    const metadata = call.metadataToSend();
    if (metadata === undefined) return;
    for (const [name, value] of metadata) {
      const others = this.headerOf(name);
      if (others === undefined) this.setHeader(name, value);
      else if (!others.split(", ").includes(value)) this.setHeader(name, `${others}, ${value}`);
    }
  }

  /** Closes the connection for a ConnectionCut, and returns the answer that is cut off, with those of the other calls. Rethrows everything else. */
  protected partOf(thrown: unknown): Message {
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    this.cutOff(thrown.partOf === undefined ? "before" : "inside");
    if (thrown.partOf === undefined) throw thrown;
    return thrown.partOf;
  }

  #finish(call: ServerCall): void {
    call.finish();
    this.sendMetadata(call);
  }

  #watch<T>(call: ServerCall, answer: Promise<T>): Promise<T> {
    const waiting = this.watched();
    waiting.add(call);
    const over = (): void => {
      waiting.delete(call);
      this.#finish(call);
    };
    return answer.then(
      (answered) => {
        over();
        return answered;
      },
      (thrown: unknown) => {
        over();
        return this.partOf(thrown) as T;
      },
    );
  }
}
