// HTTP/1.1 by the fetch of Node.js, over connections of undici's package: fetch takes a dispatcher, and so whatever can be set on undici's.
import { CallError } from "@roundtrip/contract";
import { Dispatcher1Wrapper, type Dispatcher } from "undici";
import {
  type ExchangeLimits,
  HttpExchange,
  type HttpResponse,
  type HttpStream,
  type HttpStreamRequest,
  type HttpTransport,
  responseTooLarge,
  wholeResponse,
} from "@roundtrip/styles/http/client";
import { setImmediate as turn } from "node:timers/promises";
import { type Lane, lostRequest, pooledTransport } from "../../../shared/undici/pooled-transport.ts";
import type { ConnectOptions } from "../../../basics/stack.ts";

/** Values of a header that came several times are joined with ", ". */
function headersOf(given: Headers): HttpResponse["headers"] {
  const headers: Record<string, string> = {};
  for (const [name, value] of given) {
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

/** The pieces of a body as Node.js has bytes, without a copy. */
async function* piecesOf(body: Response["body"]): AsyncGenerator<Buffer> {
  if (body === null) return;
  for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
}

/** One request and its response. Its methods reject with a CallError. */
class FetchExchange extends HttpExchange {
  readonly #origin: string;
  readonly #abort = new AbortController();

  constructor(origin: string, limits: ExchangeLimits) {
    // Whoever waits for fetch is rejected by it.
    super(limits, () => {});
    this.#origin = origin;
    this.begun(this.#abort);
  }

  /** Resolves once the response has begun. */
  async respond(url: string, init: RequestInit): Promise<HttpStream> {
    try {
      const response = await fetch(url, { ...init, redirect: "manual", signal: this.#abort.signal });
      return { status: response.status, headers: headersOf(response.headers), body: piecesOf(response.body) };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** RESOURCE_EXHAUSTED for a response of more than `maxBytes`. */
  async whole(response: HttpStream, maxBytes: number): Promise<HttpResponse> {
    try {
      if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw responseTooLarge(maxBytes);
      const whole = await wholeResponse(response, maxBytes);
      this.over();
      return whole;
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** The response, read no faster than somebody asks for it. */
  stream(response: HttpStream): HttpStream {
    return { ...response, body: this.responseBody(this.#read(response.body)) };
  }

  async *#read(pieces: HttpStream["body"]): AsyncGenerator<Buffer> {
    try {
      yield* pieces;
      this.over();
      // undici takes a connection for the next request a turn of the event loop after this one: who streams again at once would open another,
      // whose windows are small.
      await turn();
      await turn();
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** Ends the exchange with what was thrown, unless something else has: the error of the call. */
  #failed(thrown: unknown): CallError {
    // fetch reports what went wrong as the cause of a TypeError.
    const { cause } = thrown as { readonly cause?: unknown };
    const why = cause instanceof Error ? cause : (thrown as Error);
    this.fail(thrown instanceof CallError ? thrown : lostRequest(this.#origin, why));
    return this.failure as CallError;
  }
}

/** Sends the requests of a lane by fetch. */
function senderOn({ origin, pool, reset, maxMessageBytes }: Lane): Pick<HttpTransport, "send" | "stream"> {
  // The undici in Node.js may be older than the package.
  const wrapped = new Dispatcher1Wrapper(pool as unknown as Dispatcher);
  const respond = (exchange: FetchExchange, { method, path, headers, body }: HttpStreamRequest) => {
    // fetch takes "." and ".." in a path for steps, which they are not: the path is sent as it is.
    const dispatch: Dispatcher["dispatch"] = (options, handler) =>
      wrapped.dispatch({ ...options, path, reset }, handler);
    const init = { method, headers, body: exchange.requestBody(body), duplex: "half", dispatcher: { dispatch } };
    return exchange.respond(origin + path, init as unknown as RequestInit);
  };
  return {
    async send(request) {
      const exchange = new FetchExchange(origin, request);
      return exchange.whole(await respond(exchange, request), maxMessageBytes);
    },
    async stream(request) {
      const exchange = new FetchExchange(origin, request);
      return exchange.stream(await respond(exchange, request));
    },
  };
}

/** Connections to the server at `url` (its origin; a path in it is not used). Connects with the first call. */
export function fetchTransport(options: ConnectOptions): HttpTransport {
  return pooledTransport(options, senderOn);
}
