// What a resolver knows of the HTTP request that it answers: deadline and headers, and whether anyone still waits.
import type { Message } from "@bufbuild/protobuf";
import { ConnectionCut, ServerCall } from "@roundtrip/contract";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../../shared/header-map.ts";
import { cutShort, closeConnection } from "../../shared/http/http-cut.ts";
import { deadlineHeader, deadlineOf } from "../../shared/http/http-deadline.ts";

const asTheyCame = (headers: IncomingHttpHeaders) => headers;
const lacksHeader = (headers: IncomingHttpHeaders, name: string) => headers[name] === undefined;

/** One request. Each root field of its document is a call of its own: they run side by side. */
export class HttpContext {
  readonly #deadline: string | string[] | undefined;
  readonly #headers: HeaderMap<IncomingHttpHeaders>;
  readonly #response: ServerResponse;
  readonly #arrivedAtMs: number;
  /** Calls that were not answered at once: whoever goes away cancels them. */
  #waiting: Set<ServerCall> | undefined;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    this.#headers = new HeaderMap(headers, asTheyCame, lacksHeader);
    this.#response = response;
    this.#deadline = headers[deadlineHeader];
    this.#arrivedAtMs = this.#deadline === undefined ? 0 : performance.now();
  }

  /**
   * Lets a call be answered. It ends with the request's deadline, or when the caller goes away; most calls are answered before anyone
   * could, so that only those that take their time are watched.
   * Throws or rejects with a CallError: that the call has ended, INVALID_ARGUMENT when the deadline is no number, or what `answer` throws.
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

  /**
   * Lets a stream be answered; it ends with the deadline, when the caller goes away, or when nobody reads on. What `answers` throws, `fail`
   * throws in its own words.
   */
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

  /**
   * Ends the connection where that was thrown, and gives the answer in which the response ends: the fields beside it are cut with it. Throws
   * everything else.
   */
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

  /** Beside the metadata of the other calls of the document; what they say alike is said once. Throws a CallError for what cannot be sent. */
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
