// An HTTP exchange with undici.
import type { CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import { type ExchangeLimits, HttpExchange } from "@roundtrip/styles/http/client";
import { lostRequest } from "./pooled-transport.ts";

/** One request and its response. Subclasses handle the response. */
export abstract class UndiciExchange extends HttpExchange {
  readonly #origin: string;

  /** @param reject gets the first failure, unless the response was complete before. */
  constructor(origin: string, limits: ExchangeLimits, reject: (error: CallError) => void) {
    super(limits, reject);
    this.#origin = origin;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A call that ends while it waits for a connection is not sent.
    this.begun(controller);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(lostRequest(this.#origin, error));
  }
}
