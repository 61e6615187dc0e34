// HTTP/1.1 with undici: the default client library of every style, so that stacks differ in the protocol only.
import type { CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import {
  type ExchangeLimits,
  HttpExchange,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  type HttpStreamRequest,
  type HttpTransport,
  responseTooLarge,
} from "@roundtrip/styles/http/client";
import type { ConnectOptions } from "../../basics/stack.ts";
import { type PooledOrigin, lostRequest, pooledTransport } from "./pool.ts";

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

// A streaming HTTP exchange: reads the answer on demand, and writes the request no faster than the server reads it.

/** Bytes that may be buffered before TCP flow control stops the server. */
const waitingBytes = 64 * 1024;

export class UndiciStreamExchange extends UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: HttpStream) => void;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #paused: Dispatcher.DispatchController | undefined;
  #isComplete = false;
  #wake: (() => void) | undefined;

  constructor(
    origin: string,
    request: HttpStreamRequest,
    resolve: (response: HttpStream) => void,
    reject: (error: CallError) => void,
  ) {
    super(origin, request, reject);
    this.#resolve = resolve;
  }

  protected override over(): void {
    super.over();
    this.#wake?.();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    if (status >= 200) this.#resolve({ status, headers, body: this.responseBody(this.#read()) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > waitingBytes) {
      controller.pause();
      this.#paused = controller;
    }
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.over();
    // undici frees a connection one event loop turn later. A caller that streams again at once would open a new one, with small windows.
    setImmediate(setImmediate, () => {
      this.#isComplete = true;
      this.#wake?.();
    });
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const chunk = this.#waiting.shift();
      if (chunk !== undefined) {
        this.#waitingBytes -= chunk.length;
        if (this.#waitingBytes <= waitingBytes) this.#resume();
        yield chunk;
      } else if (this.#isComplete) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #resume(): void {
    const paused = this.#paused;
    // Before it resumes: what has come meanwhile is given at once, and may pause it again.
    this.#paused = undefined;
    paused?.resume();
  }
}

const nothing = Buffer.alloc(0);

/** One request and its response with undici's cheapest interface. Collects the body as it arrives. */
class UnaryExchange extends UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: HttpResponse) => void;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #bytes = 0;

  constructor(
    { origin, maxMessageBytes }: PooledOrigin,
    request: HttpRequest,
    resolve: (response: HttpResponse) => void,
    reject: (error: CallError) => void,
  ) {
    super(origin, request, reject);
    this.#maxBytes = maxMessageBytes;
    this.#resolve = resolve;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
    this.#checkSize(Number(headers["content-length"] ?? 0));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#checkSize(this.#bytes);
    // Most bodies arrive in one piece and need no copy.
    if (this.#first === undefined) this.#first = chunk;
    else (this.#more ??= [this.#first]).push(chunk);
  }

  onResponseEnd(): void {
    this.over();
    const body = this.#more === undefined ? (this.#first ?? nothing) : Buffer.concat(this.#more, this.#bytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  #checkSize(bytes: number): void {
    if (bytes > this.#maxBytes) this.fail(responseTooLarge(this.#maxBytes));
  }
}

function senderOn(pooled: PooledOrigin): Pick<HttpTransport, "send" | "stream"> {
  const { origin, pool, reset } = pooled;
  const dispatch = (
    { method, path, headers }: HttpStreamRequest,
    body: ReturnType<UndiciExchange["requestBody"]>,
    exchange: Dispatcher.DispatchHandler,
  ): void => {
    // undici accepts async iterables; its types omit them.
    const sent = body as string | Uint8Array | null;
    pool.dispatch({ method, path, headers: headers as Record<string, string>, body: sent, reset }, exchange);
  };
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        dispatch(request, request.body ?? null, new UnaryExchange(pooled, request, resolve, reject));
      }),
    stream: (request) =>
      new Promise((resolve, reject) => {
        const exchange = new UndiciStreamExchange(origin, request, resolve, reject);
        dispatch(request, exchange.requestBody(request.body), exchange);
      }),
  };
}

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. */
export function undiciTransport(options: ConnectOptions): HttpTransport {
  return pooledTransport(options, senderOn);
}
