// What a resolver knows of the HTTP request that it answers: deadline and headers, and whether anyone still waits.
import { ServerCall } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../header-map.ts";
import { deadlineOf, deadlineHeader } from "../http-deadline.ts";

/** One request. Each root field of its document is a call of its own: they run side by side and end together. */
export class HttpContext {
  readonly #headers: HeaderMap;
  readonly #timeoutMs: number | undefined;
  readonly #arrivedAtMs: number;
  readonly #calls: ServerCall[] = [];
  #isAnswered = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#headers = new HeaderMap(request.headers);
    this.#timeoutMs = deadlineOf(request.headers[deadlineHeader]);
    this.#arrivedAtMs = this.#timeoutMs === undefined ? 0 : performance.now();
    response.once("close", () => this.#end(response.writableFinished));
  }

  /** A call that ends with the request's deadline, or when the caller goes away. Throws a CallError when that has happened already. */
  begin(): ServerCall {
    const waitedMs = this.#timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const call = new ServerCall(this.#timeoutMs === undefined ? undefined : this.#timeoutMs - waitedMs, this.#headers);
    this.#calls.push(call);
    if (this.#isAnswered) call.cancel();
    call.throwIfEnded();
    return call;
  }

  #end(isAnswered: boolean): void {
    this.#isAnswered = true;
    for (const call of this.#calls) {
      if (!isAnswered) call.cancel();
      call.finish();
    }
  }
}
