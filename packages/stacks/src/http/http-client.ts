// The one HTTP/1.1 client of all stacks that speak it: what differs between them is then the protocol, not the client library.
import { CallError, clientClosed } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import { HttpExchange, overBefore } from "./http-exchange.ts";
import type { HttpRequest, HttpResponse } from "./http-message.ts";
import type { HttpPool } from "./http-pool.ts";
import { httpSettingsWith } from "./http-settings.ts";
import { StreamExchange, type HttpStream, type HttpStreamRequest } from "./http-stream.ts";
import { openPool } from "./open-pool.ts";
import type { ConnectOptions } from "../stack.ts";

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
class Exchange extends HttpExchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: HttpResponse) => void;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #bytes = 0;

  constructor(
    origin: string,
    maxBytes: number,
    request: HttpRequest,
    resolve: (response: HttpResponse) => void,
    reject: (error: CallError) => void,
  ) {
    super(origin, request, reject);
    this.#maxBytes = maxBytes;
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
    // Most bodies come in one piece, which then needs no copy.
    if (this.#first === undefined) this.#first = chunk;
    else (this.#more ??= [this.#first]).push(chunk);
  }

  onResponseEnd(): void {
    this.over();
    const body = this.#more === undefined ? (this.#first ?? nothing) : Buffer.concat(this.#more, this.#bytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  #checkSize(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    this.fail(new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${this.#maxBytes} bytes`));
  }
}

/** A client of the server at `url` (its origin; a path in it is not used). Connects with the first call. */
export function httpClient({ url, ca, connections, maxMessageBytes, settings }: ConnectOptions): HttpClient {
  const { origin } = new URL(url);
  // With `reset`, undici asks the server to close the connection after its answer, and closes it too.
  const { newConnectionPerCall: reset, ...set } = httpSettingsWith(settings);
  const pool = openPool(origin, { ...set, ca, connections });
  let streamPool: HttpPool | undefined;
  let closed: Promise<unknown> | undefined;
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        const ended = overBefore(request);
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const { method, path, headers } = request;
        const exchange = new Exchange(origin, maxMessageBytes, request, resolve, reject);
        pool.dispatch(
          { method, path, headers: headers as Record<string, string>, body: request.body ?? null, reset },
          exchange,
        );
      });
    },
    stream(request) {
      return new Promise((resolve, reject) => {
        const ended = closed === undefined ? overBefore(request) : clientClosed();
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const { method, path, headers, body } = request;
        const exchange = new StreamExchange(origin, request, resolve, reject);
        const sent = typeof body === "object" && Symbol.asyncIterator in body ? exchange.requestBody(body) : body;
        streamPool ??= openPool(origin, { ...set, ca, connections: null });
        streamPool.dispatch(
          // Async iterables are taken as they are, which the types do not say.
          { method, path, headers: headers as Record<string, string>, body: (sent ?? null) as string | null, reset },
          exchange,
        );
      });
    },
    close: async () => {
      await (closed ??= Promise.all([pool.close(), streamPool?.close()]));
    },
  };
}
