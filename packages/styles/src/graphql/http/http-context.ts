// The HTTP request behind a resolver: its deadline, its headers, and whether its caller is still connected.
import type { Message } from "@bufbuild/protobuf";
import { ConnectionCut, ServerCall } from "@roundtrip/contract";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../../shared/header-map.ts";
import { cutShort, closeConnection } from "../../shared/http/http-cut.ts";
import { deadlineHeader, deadlineOf } from "../../shared/http/http-deadline.ts";

const asTheyCame = (headers: IncomingHttpHeaders) => headers;
const lacksHeader = (headers: IncomingHttpHeaders, name: string) => headers[name] === undefined;

/** One request. Each root field of its document is a separate, concurrent call. */
export class HttpContext {
  readonly #deadline: string | string[] | undefined;
  readonly #headers: HeaderMap<IncomingHttpHeaders>;
  readonly #response: ServerResponse;
  readonly #arrivedAtMs: number;
  /** Calls without an answer yet: they are cancelled if the caller disconnects. */
  #waiting: Set<ServerCall> | undefined;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    this.#headers = new HeaderMap(headers, asTheyCame, lacksHeader);
    this.#response = response;
    this.#deadline = headers[deadlineHeader];
    this.#arrivedAtMs = this.#deadline === undefined ? 0 : performance.now();
  }

  /**
   * Runs a call until its deadline or until the caller disconnects. Watches only calls that do not answer at once. Throws or rejects with a
   * CallError: if the call has ended, INVALID_ARGUMENT for a malformed deadline, or what `answer` throws.
   */
  answerCall<T>(answer: (call: ServerCall) => T | Promise<T>): T | Promise<T> {
    const call = this.#begin();
    let answered: T | Promise<T>;
    try {
      answered = answer(call);
    } catch (thrown) {
      this.#finish(call);
      return this.#cut(thrown) as T;
    }
    if (answered instanceof Promise) return this.#watch(call, answered);
    this.#finish(call);
    return answered;
  }

  /** Runs a stream until its deadline, or until the caller disconnects or stops reading. `fail` converts what `answers` throws. */
  async *answerStream<T>(
    answers: (call: ServerCall) => AsyncIterable<T>,
    fail: (thrown: unknown) => never,
  ): AsyncGenerator<T, void, undefined> {
    let call: ServerCall | undefined;
    let isOver = false;
    let hasBegun = false;
    try {
      call = this.#begin();
      this.#watched().add(call);
      for await (const message of answers(call)) {
        if (!hasBegun) this.#sendMetadata(call);
        hasBegun = true;
        yield message;
      }
      isOver = true;
      if (!hasBegun) this.#sendMetadata(call);
    } catch (thrown) {
      if (call !== undefined && !hasBegun) this.#sendMetadata(call);
      if (thrown instanceof ConnectionCut) yield this.#cut(thrown) as T;
      else fail(thrown);
    } finally {
      if (call !== undefined) this.#endStream(call, isOver);
    }
  }

  #endStream(call: ServerCall, isOver: boolean): void {
    this.#waiting?.delete(call);
    if (!isOver) call.cancel();
    call.finish();
  }

  /** Closes the connection for a ConnectionCut, and returns the answer that is cut off, with its sibling fields. Rethrows everything else. */
  #cut(thrown: unknown): Message {
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    if (thrown.partOf === undefined) {
      closeConnection(this.#response);
      throw thrown;
    }
    cutShort(this.#response);
    return thrown.partOf;
  }

  #finish(call: ServerCall): void {
    call.finish();
    this.#sendMetadata(call);
  }

  /** Adds metadata to that of the document's other calls; equal values are sent once. Throws a CallError for invalid metadata. */
  #sendMetadata(call: ServerCall): void {
    const metadata = call.metadataToSend();
    if (metadata === undefined) return;
    for (const [name, value] of metadata) {
      const others = this.#response.getHeader(name);
      if (others === undefined) this.#response.setHeader(name, value);
      else if (!String(others).split(", ").includes(value))
        this.#response.setHeader(name, `${String(others)}, ${value}`);
    }
  }

  #begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(timeoutMs === undefined ? undefined : timeoutMs - waitedMs, this.#headers);
    if (this.#response.destroyed) call.cancel();
    call.throwIfEnded();
    return call;
  }

  #watched(): Set<ServerCall> {
    if (this.#waiting !== undefined) return this.#waiting;
    const waiting = new Set<ServerCall>();
    this.#waiting = waiting;
    this.#response.once("close", () => {
      for (const one of waiting) one.cancel();
    });
    return waiting;
  }

  #watch<T>(call: ServerCall, answer: Promise<T>): Promise<T> {
    const waiting = this.#watched();
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
        return this.#cut(thrown) as T;
      },
    );
  }
}
