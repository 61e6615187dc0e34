// What ends an exchange over HTTP before its response is whole, whatever library carries it: the deadline, the caller, or a failure. What
// becomes of the response is left to those who extend it.
import { CallError, callerCancelled, deadlineExceeded, endlessMs, untilEnded } from "@roundtrip/contract";

/** What an exchange waits for at most. */
export interface ExchangeLimits {
  /** Milliseconds until the exchange fails with DEADLINE_EXCEEDED; undefined waits as long as the server takes. */
  readonly timeoutMs: number | undefined;
  /** Aborting it fails the exchange with CANCELLED. */
  readonly signal: AbortSignal | undefined;
}

/** Gives up what a library has under way. */
interface Aborter {
  abort(reason: Error): void;
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
  readonly #signal: AbortSignal | undefined;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #aborter: Aborter | undefined;
  #failure: CallError | undefined;
  #isOver = false;

  /** @param reject gets the first failure, unless the response was whole before */
  constructor({ timeoutMs, signal }: ExchangeLimits, reject: (error: CallError) => void) {
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** What the exchange failed with; undefined while it goes on, and when it came to its end. */
  protected get failure(): CallError | undefined {
    return this.#failure;
  }

  /** Handles the caller's abort: the exchange is its own listener. */
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

  /** The library has begun: a failure aborts it from now on, and at once when it came before. */
  protected begun(aborter: Aborter): void {
    if (this.#failure === undefined) this.#aborter = aborter;
    else aborter.abort(this.#failure);
  }

  /** Nothing can end the exchange any more. */
  protected over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this);
  }
}

/** The pieces of a request's body until its exchange is over: an error in them is the exchange's. */
export async function* piecesUntilOver(
  pieces: AsyncIterable<Uint8Array>,
  over: AbortSignal,
  exchange: Pick<HttpExchange, "fail">,
): AsyncGenerator<Uint8Array> {
  try {
    yield* untilEnded(pieces, over);
  } catch (thrown) {
    if (!over.aborted) exchange.fail(CallError.from(thrown));
  }
}
