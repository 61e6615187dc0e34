// What ends an exchange over HTTP before its response is whole, and the CallError that it ends with: the deadline, the caller, or the
// connection. What becomes of the response is left to those who extend it.
import { callerCancelled, clientClosed, deadlineExceeded, endlessMs, type CallError } from "@roundtrip/contract";
import { errors, type Dispatcher } from "undici";
import { noAnswer } from "../no-answer.ts";

/** What an exchange waits for at most. */
export interface ExchangeLimits {
  /** Milliseconds until the exchange fails with DEADLINE_EXCEEDED; undefined waits as long as the server takes. */
  readonly timeoutMs: number | undefined;
  /** Aborting it fails the exchange with CANCELLED. */
  readonly signal: AbortSignal | undefined;
}

/** Why an exchange is over before it began; undefined when it is not. */
export function overBefore({ signal, timeoutMs }: ExchangeLimits): CallError | undefined {
  if (signal?.aborted === true) return callerCancelled();
  return timeoutMs !== undefined && timeoutMs <= 0 ? deadlineExceeded() : undefined;
}

function expire(exchange: HttpExchange): void {
  exchange.fail(deadlineExceeded());
}

/** One request and its response. A class to extend and no object beside the exchange: there is one for each measured call. */
export abstract class HttpExchange {
  readonly #origin: string;
  readonly #signal: AbortSignal | undefined;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: CallError | undefined;
  #isOver = false;

  /** @param reject hears of the first failure, unless the response was whole before */
  constructor(origin: string, { timeoutMs, signal }: ExchangeLimits, reject: (error: CallError) => void) {
    this.#origin = origin;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** What the exchange failed with; undefined while it goes on, and when it came to its end. */
  protected get failure(): CallError | undefined {
    return this.#failure;
  }

  /** Hears the caller's signal: the exchange is its own listener. */
  handleEvent(): void {
    this.fail(callerCancelled());
  }

  /** Ends the exchange with an error, unless it is over. */
  fail(error: CallError): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#reject(error);
    this.over();
    this.#controller?.abort(error);
  }

  /** Nothing can end the exchange any more. */
  protected over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A call that ended while it waited for a connection is not sent.
    if (this.#failure === undefined) this.#controller = controller;
    else controller.abort(this.#failure);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const isClosed = error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
    this.fail(isClosed ? clientClosed({ cause: error }) : noAnswer(this.#origin, error));
  }
}
