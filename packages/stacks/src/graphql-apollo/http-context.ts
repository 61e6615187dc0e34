// What a resolver knows of the HTTP request that it answers: deadline and headers, and whether anyone still waits.
import { ServerCall } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../header-map.ts";
import { deadlineHeader, deadlineOf } from "../http-deadline.ts";

/** One request. Each root field of its document is a call of its own: they run side by side and end together. */
export class HttpContext {
  readonly #deadline: string | string[] | undefined;
  readonly #headers: HeaderMap;
  readonly #calls: ServerCall[] = [];
  readonly #arrivedAtMs: number;
  #isOver = false;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    this.#headers = new HeaderMap(() => headers);
    this.#deadline = headers[deadlineHeader];
    this.#arrivedAtMs = this.#deadline === undefined ? 0 : performance.now();
    response.once("close", () => this.#end(response.writableFinished));
  }

  /**
   * A call that ends with the request's deadline, or when the caller goes away.
   * Throws a CallError: that this has happened already, or INVALID_ARGUMENT when the deadline is no number.
   */
  begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(timeoutMs === undefined ? undefined : timeoutMs - waitedMs, this.#headers);
    this.#calls.push(call);
    if (this.#isOver) call.cancel();
    call.throwIfEnded();
    return call;
  }

  #end(isAnswered: boolean): void {
    this.#isOver = true;
    for (const call of this.#calls) {
      if (!isAnswered) call.cancel();
      call.finish();
    }
  }
}
