// What a resolver knows of the HTTP request that it answers: deadline and headers, and whether anyone still waits.
import { ServerCall } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../header-map.ts";
import { deadlineHeader, deadlineOf } from "../http-deadline.ts";

/** One request. Each root field of its document is a call of its own: they run side by side. */
export class HttpContext {
  readonly #deadline: string | string[] | undefined;
  readonly #headers: HeaderMap;
  readonly #response: ServerResponse;
  readonly #arrivedAtMs: number;
  /** Calls that were not answered at once: whoever goes away cancels them. */
  #waiting: Set<ServerCall> | undefined;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    this.#headers = new HeaderMap(() => headers);
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
      call.finish();
      throw thrown;
    }
    if (answered instanceof Promise) return this.#watch(call, answered);
    call.finish();
    return answered;
  }

  #begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(timeoutMs === undefined ? undefined : timeoutMs - waitedMs, this.#headers);
    if (this.#response.destroyed) call.cancel();
    call.throwIfEnded();
    return call;
  }

  #watch<T>(call: ServerCall, answer: Promise<T>): Promise<T> {
    if (this.#waiting === undefined) {
      const waiting = new Set<ServerCall>();
      this.#waiting = waiting;
      this.#response.once("close", () => {
        for (const one of waiting) one.cancel();
      });
    }
    const waiting = this.#waiting;
    waiting.add(call);
    return answer.finally(() => {
      waiting.delete(call);
      call.finish();
    });
  }
}
