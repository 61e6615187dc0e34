// An HTTP exchange whose bodies are streams: the answer is read no faster than somebody asks for it, the request is written no faster
// than the server takes it.
import { CallError, callerCancelled, clientClosed, deadlineExceeded, endlessMs, untilEnded } from "@roundtrip/contract";
import { errors, type Dispatcher } from "undici";
import type { HttpRequest, HttpResponse } from "./http-client.ts";
import { noAnswer } from "./no-answer.ts";

export interface HttpStreamRequest extends Omit<HttpRequest, "body"> {
  /** A stream is asked for its next piece once the connection has taken the one before, and told to stop when the call ends. */
  readonly body: HttpRequest["body"] | AsyncIterable<Uint8Array>;
}

/** A response whose body is yet to come. */
export interface HttpStream extends Pick<HttpResponse, "status" | "headers"> {
  /** The pieces of the body as they come, to be read once. Reading throws a CallError; stopping early ends the call. */
  readonly body: AsyncIterable<Buffer>;
}

/** What may wait to be read before the server is told to wait (by way of TCP). */
const waitingBytes = 64 * 1024;

/** One request and its response, piece by piece. */
export class StreamExchange implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: HttpStream) => void;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Aborted when the exchange is over, in whatever way: nobody takes more of the request from then on. */
  readonly #over = new AbortController();
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: CallError | undefined;
  #isComplete = false;
  #wake: (() => void) | undefined;

  constructor(
    origin: string,
    { timeoutMs, signal }: HttpStreamRequest,
    resolve: (response: HttpStream) => void,
    reject: (error: CallError) => void,
  ) {
    this.#origin = origin;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) {
      this.#timer = setTimeout(() => this.#end(deadlineExceeded()), timeoutMs);
    }
  }

  /** The request's body as undici takes it: its fault is the call's, and it stops with the call. */
  async *requestBody(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* untilEnded(pieces, this.#over.signal);
    } catch (thrown) {
      if (!this.#over.signal.aborted) this.#end(CallError.from(thrown));
    }
  }

  readonly #onAbort = (): void => this.#end(callerCancelled());

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#over.abort();
    this.#wake?.();
  }

  #end(error: CallError): void {
    if (this.#ended !== undefined || this.#isComplete) return;
    this.#ended = error;
    this.#reject(error);
    this.#settle();
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A call that ended while it waited for a connection is not sent.
    if (this.#ended === undefined) this.#controller = controller;
    else controller.abort(this.#ended);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    if (status >= 200) this.#resolve({ status, headers, body: this.#read() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > waitingBytes) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const isClosed = error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
    this.#end(isClosed ? clientClosed({ cause: error }) : noAnswer(this.#origin, error));
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.#ended !== undefined) throw this.#ended;
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#waitingBytes -= chunk.length;
          if (this.#controller?.paused === true && this.#waitingBytes <= waitingBytes) this.#controller.resume();
          yield chunk;
        } else if (this.#isComplete) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      // Whoever stops reading wants no more of it.
      this.#end(callerCancelled());
    }
  }
}
