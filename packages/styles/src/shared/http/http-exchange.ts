// Ends an HTTP exchange early: at the deadline, on abort, or on a failure. Client bindings extend it and handle the response.
import { CallError, callerCancelled, deadlineExceeded, endlessMs, untilEnded } from "@roundtrip/contract";
import type { ExchangeLimits, HttpStreamRequest } from "./http-message.ts";

interface Aborter {
  abort(reason: Error): void;
}

/** The error of an exchange that is over before it begins; undefined if it can begin. */
export function overBefore({ signal, timeoutMs }: ExchangeLimits): CallError | undefined {
  if (signal?.aborted === true) return callerCancelled();
  return timeoutMs !== undefined && timeoutMs <= 0 ? deadlineExceeded() : undefined;
}

function expire(exchange: HttpExchange): void {
  exchange.fail(deadlineExceeded());
}

/** One request and its response. A base class instead of a separate object, because every measured call makes one. */
export abstract class HttpExchange {
  readonly #signal: AbortSignal | undefined;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #aborter: Aborter | undefined;
  #failure: CallError | undefined;
  #isOver = false;
  /** Aborted when the exchange is over: then nothing reads the request stream. */
  #whenOver: AbortController | undefined;

  /** @param reject called with the first failure, unless the response is complete before. */
  constructor({ timeoutMs, signal }: ExchangeLimits, reject: (error: CallError) => void) {
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** The error of the exchange; undefined while it runs and after success. */
  protected get failure(): CallError | undefined {
    return this.#failure;
  }

  /** Handles the caller's abort: the exchange is the event listener. */
  handleEvent(): void {
    this.fail(callerCancelled());
  }

  /** Ends the exchange with an error, unless it is over. */
  fail(error: CallError): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#reject(error);
    this.over();
    this.#aborter?.abort(error);
  }

  /** Registers the library's request. A failure aborts it, at once if it has already occurred. */
  protected begun(aborter: Aborter): void {
    if (this.#failure === undefined) this.#aborter = aborter;
    else aborter.abort(this.#failure);
  }

  /** Marks the response as complete: nothing can end the exchange any more. */
  protected over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this);
    this.#whenOver?.abort();
  }

  /** The request body for the library. A stream ends with the exchange, and an error in it fails the exchange. */
  requestBody(body: HttpStreamRequest["body"]): string | Uint8Array | AsyncIterable<Uint8Array> | null {
    if (typeof body !== "object" || body instanceof Uint8Array) return body ?? null;
    this.#whenOver = new AbortController();
    return this.#piecesUntilOver(body, this.#whenOver.signal);
  }

  /** The response body for its reader. Stopping early ends the exchange at once, even while a piece is awaited. */
  protected responseBody(pieces: AsyncGenerator<Buffer>): AsyncIterable<Buffer> {
    const iterator: AsyncIterator<Buffer> = {
      next: () => pieces.next(),
      return: () => {
        this.fail(callerCancelled());
        // The library may report the end that the reader requested.
        return pieces.return(undefined).catch(() => ({ done: true, value: undefined }));
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  async *#piecesUntilOver(pieces: AsyncIterable<Uint8Array>, over: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* untilEnded(pieces, over);
    } catch (thrown) {
      if (!over.aborted) this.fail(CallError.from(thrown));
    }
  }
}
