// An exchange as undici runs it.
import type { CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import { type ExchangeLimits, HttpExchange } from "@roundtrip/styles/http/client";
import { lostRequest } from "./pooled-transport.ts";

/** One request and its response, without what becomes of the response. */
export abstract class UndiciExchange extends HttpExchange {
  readonly #origin: string;

  /** @param reject gets the first failure, unless the response was whole before */
  constructor(origin: string, limits: ExchangeLimits, reject: (error: CallError) => void) {
    super(limits, reject);
    this.#origin = origin;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A call that ended while it waited for a connection is not sent.
    this.begun(controller);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(lostRequest(this.#origin, error));
  }
}
