// HTTP/1.1 with undici: the default client library of every style, so that stacks differ in the protocol only.
import type { CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import type { ConnectOptions } from "../../basics/stack.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpStreamRequest,
  type HttpTransport,
  responseTooLarge,
} from "@roundtrip/styles/http/client";
import { type Lane, pooledTransport } from "./pooled-transport.ts";
import { UndiciExchange } from "./undici-exchange.ts";
import { UndiciStreamExchange } from "./undici-stream-exchange.ts";

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
    { origin, maxMessageBytes }: Lane,
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

function senderOn(lane: Lane): Pick<HttpTransport, "send" | "stream"> {
  const { origin, pool, reset } = lane;
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
        dispatch(request, request.body ?? null, new UnaryExchange(lane, request, resolve, reject));
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
