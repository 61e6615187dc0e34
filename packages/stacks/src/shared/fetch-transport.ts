// HTTP/1.1 with the fetch of Node.js, on connections of the undici package: fetch takes a dispatcher, and so all of undici's settings.
import { CallError } from "@roundtrip/contract";
import { type Dispatcher, Dispatcher1Wrapper } from "undici";
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
import { type PooledOrigin, lostRequest, pooledTransport } from "./undici/pool.ts";
import type { ConnectOptions } from "../basics/stack.ts";

type Dispatch = Dispatcher["dispatch"];

/** fetch on other connections than its own. Redirects are answers. */
export function fetchOn(dispatch: Dispatch, url: string | URL, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: "manual", dispatcher: { dispatch } } as unknown as RequestInit);
}

/** Own properties alone: a server may name a header `constructor`. Without the content coding, which fetch has decoded. */
export function headersOf(given: Headers): HttpResponse["headers"] {
  const names = [...given.keys()].filter((name) => name !== "content-encoding");
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? ""]));
}

/** Converts the pieces of a body to Buffers, without a copy. */
export async function* piecesOf(body: Response["body"]): AsyncGenerator<Buffer> {
  if (body === null) return;
  for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
}

export class FetchExchange extends HttpExchange {
  readonly #origin: string;
  readonly #abort = new AbortController();

  constructor(origin: string, limits: ExchangeLimits) {
    // A failure rejects the fetch, so that nothing else needs to be rejected.
    super(limits, () => {});
    this.#origin = origin;
    this.begun(this.#abort);
  }

  /** Waits for the answer of a library over fetch. The exchange is over then. */
  async answered<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask(this.#abort.signal);
      this.over();
      return answer;
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  async respond(dispatch: Dispatch, url: string, init: RequestInit): Promise<HttpStream> {
    try {
      const response = await fetchOn(dispatch, url, { ...init, signal: this.#abort.signal });
      return { status: response.status, headers: headersOf(response.headers), body: piecesOf(response.body) };
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** Reads the whole response. Rejects with RESOURCE_EXHAUSTED above `maxBytes`. */
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

  stream(response: HttpStream): HttpStream {
    return { ...response, body: this.responseBody(this.#read(response.body)) };
  }

  async *#read(pieces: HttpStream["body"]): AsyncGenerator<Buffer> {
    try {
      yield* pieces;
      this.over();
      // undici frees a connection one event loop turn later. A caller that streams again at once would open a new one, with small windows.
      await turn();
      await turn();
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** Ends the exchange with the thrown error, unless it has ended already. Returns the error of the call. */
  #failed(thrown: unknown): CallError {
    // fetch wraps the actual error as the cause of a TypeError.
    const { cause } = thrown as { readonly cause?: unknown };
    const why = cause instanceof Error ? cause : (thrown as Error);
    this.fail(thrown instanceof CallError ? thrown : lostRequest(this.#origin, why));
    return this.failure as CallError;
  }
}

/** Sends requests on the pooled's connections. fetch resolves "." and ".." in paths, which are literal here: the given path is sent. */
export function dispatcherOn({ pool, reset }: PooledOrigin): (path: string) => Dispatch {
  // The undici in Node.js may be older than the package.
  const wrapped = new Dispatcher1Wrapper(pool as unknown as Dispatcher);
  return (path) => (options, handler) => wrapped.dispatch({ ...options, path, reset }, handler);
}

export function fetchSender(pooled: PooledOrigin): Pick<HttpTransport, "send" | "stream"> {
  const { origin, maxMessageBytes } = pooled;
  const dispatchTo = dispatcherOn(pooled);
  const respond = (exchange: FetchExchange, { method, path, headers, body }: HttpStreamRequest) => {
    const init = { method, headers, body: exchange.requestBody(body), duplex: "half" };
    return exchange.respond(dispatchTo(path), origin + path, init as unknown as RequestInit);
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

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. */
export function fetchTransport(options: ConnectOptions): HttpTransport {
  return pooledTransport(options, fetchSender);
}
