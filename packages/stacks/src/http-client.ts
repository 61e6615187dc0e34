// The one HTTP/1.1 client of all stacks that speak it: what differs between them is then the protocol, not the client library.
import { CallError, callerCancelled, clientClosed, deadlineExceeded, endlessMs } from "@roundtrip/contract";
import { errors, Pool, type Dispatcher } from "undici";
import { httpConnector } from "./http-connector.ts";
import { StreamExchange, type HttpStream, type HttpStreamRequest } from "./http-stream.ts";
import { noAnswer } from "./no-answer.ts";
import type { ConnectOptions } from "./stack.ts";

export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Percent-encoded path with query, from the first slash on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined or empty sends no body. */
  readonly body: string | Uint8Array | undefined;
  /** Milliseconds until the call fails with DEADLINE_EXCEEDED; undefined waits as long as the server takes. */
  readonly timeoutMs: number | undefined;
  /** Aborting it fails the call with CANCELLED. */
  readonly signal: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body. */
  readonly body: Buffer;
}

/** Connections to one server. */
export interface HttpClient {
  /**
   * Resolves to the response, whatever its status. Rejects with a CallError: UNAVAILABLE when the server cannot be reached or hangs
   * up, DEADLINE_EXCEEDED, CANCELLED, or RESOURCE_EXHAUSTED when the response is larger than allowed.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The same for bodies that are streams: resolves once the response has begun. A stream has a connection of its own while it lasts,
   * beside those that calls are spread over.
   */
  stream(request: HttpStreamRequest): Promise<HttpStream>;
  /** Waits for calls in flight, then closes every connection. Closing twice is closing once. */
  close(): Promise<void>;
}

const nothing = Buffer.alloc(0);

/** One request and its response: undici's cheapest interface, with the body gathered as it comes. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: CallError | undefined;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #bytes = 0;

  constructor(
    origin: string,
    maxBytes: number,
    { timeoutMs, signal }: HttpRequest,
    resolve: (response: HttpResponse) => void,
    reject: (error: CallError) => void,
  ) {
    this.#origin = origin;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) {
      this.#timer = setTimeout(() => this.#end(deadlineExceeded()), timeoutMs);
    }
  }

  readonly #onAbort = (): void => this.#end(callerCancelled());

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  #end(error: CallError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#settle();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A call that ended while it waited for a connection is not sent.
    if (this.#ended === undefined) this.#controller = controller;
    else controller.abort(this.#ended);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
    this.#checkSize(Number(headers["content-length"] ?? 0));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#checkSize(this.#bytes);
    // Most bodies come in one piece, which then needs no copy.
    if (this.#first === undefined) this.#first = chunk;
    else (this.#more ??= [this.#first]).push(chunk);
  }

  onResponseEnd(): void {
    this.#settle();
    const body = this.#more === undefined ? (this.#first ?? nothing) : Buffer.concat(this.#more, this.#bytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError) {
      this.#end(clientClosed({ cause: error }));
      return;
    }
    this.#end(noAnswer(this.#origin, error));
  }

  #checkSize(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    this.#end(new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${this.#maxBytes} bytes`));
  }
}

/** Why a call is over before it was sent; undefined when it is not. */
function endedBefore({ signal, timeoutMs }: Pick<HttpRequest, "signal" | "timeoutMs">): CallError | undefined {
  if (signal?.aborted === true) return callerCancelled();
  return timeoutMs !== undefined && timeoutMs <= 0 ? deadlineExceeded() : undefined;
}

function openPool(origin: string, ca: string | undefined, connections: number | null): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    // A server that closes sooner says so in its Keep-Alive header, which takes precedence.
    keepAliveTimeout: 600_000,
    // Deadlines are the caller's.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: httpConnector(ca),
  });
}

/** A client of the server at `url` (its origin; a path in it is not used). Connects with the first call. */
export function httpClient({ url, ca, connections, maxMessageBytes }: ConnectOptions): HttpClient {
  const { origin } = new URL(url);
  const pool = openPool(origin, ca, connections);
  let streamPool: Pool | undefined;
  let closed: Promise<unknown> | undefined;
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        const ended = endedBefore(request);
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const { method, path, headers } = request;
        const exchange = new Exchange(origin, maxMessageBytes, request, resolve, reject);
        pool.dispatch(
          { method, path, headers: headers as Record<string, string>, body: request.body ?? null },
          exchange,
        );
      });
    },
    stream(request) {
      return new Promise((resolve, reject) => {
        const ended = closed === undefined ? endedBefore(request) : clientClosed();
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const { method, path, headers, body } = request;
        const exchange = new StreamExchange(origin, request, resolve, reject);
        const sent = typeof body === "object" && Symbol.asyncIterator in body ? exchange.requestBody(body) : body;
        streamPool ??= openPool(origin, ca, null);
        streamPool.dispatch(
          // Async iterables are taken as they are, which the types do not say.
          { method, path, headers: headers as Record<string, string>, body: (sent ?? null) as string | null },
          exchange,
        );
      });
    },
    close: async () => {
      await (closed ??= Promise.all([pool.close(), streamPool?.close()]));
    },
  };
}
