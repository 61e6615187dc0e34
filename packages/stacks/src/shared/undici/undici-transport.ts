// HTTP/1.1 by undici: the client library of every stack that names no other, so that what differs between styles is the protocol.
import { clientClosed, type CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import type { ConnectOptions } from "../../stack.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  overBefore,
  responseTooLarge,
} from "@roundtrip/styles/http/client";
import type { HttpPool } from "./http-pool.ts";
import { openPool } from "./open-pool.ts";
import { UndiciExchange } from "./undici-exchange.ts";
import { undiciSettingsWith } from "./undici-settings.ts";
import { UndiciStreamExchange } from "./undici-stream-exchange.ts";

const nothing = Buffer.alloc(0);

/** A server, and the size of the largest response that is accepted from it. */
interface ServerLimits {
  readonly origin: string;
  readonly maxMessageBytes: number;
}

/** One request and its response: undici's cheapest interface, with the body gathered as it comes. */
class Exchange extends UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: HttpResponse) => void;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #bytes = 0;

  constructor(
    { origin, maxMessageBytes }: ServerLimits,
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
    if (bytes > this.#maxBytes) this.fail(responseTooLarge(this.#maxBytes));
  }
}

/** Connections to the server at `url` (its origin; a path in it is not used). Connects with the first call. */
export function undiciTransport({ url, ca, connections, maxMessageBytes, settings }: ConnectOptions): HttpTransport {
  const { origin } = new URL(url);
  // With `reset`, undici asks the server to close the connection after its answer, and closes it too.
  const { newConnectionPerCall: reset, ...set } = undiciSettingsWith(settings);
  const pool = openPool(origin, { ...set, ca, connections });
  const server: ServerLimits = { origin, maxMessageBytes };
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
        const exchange = new Exchange(server, request, resolve, reject);
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
        const exchange = new UndiciStreamExchange(origin, request, resolve, reject);
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
