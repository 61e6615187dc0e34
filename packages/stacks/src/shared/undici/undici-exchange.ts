// An exchange as undici runs it: what undici gives up, and what its errors mean to a caller.
import { clientClosed, type CallError } from "@roundtrip/contract";
import { errors, type Dispatcher } from "undici";
import { serverUnavailable } from "@roundtrip/styles/client";
import { type ExchangeLimits, HttpExchange } from "@roundtrip/styles/http/client";

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
    const isClosed = error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
    this.fail(isClosed ? clientClosed({ cause: error }) : serverUnavailable(this.#origin, error));
  }
}
