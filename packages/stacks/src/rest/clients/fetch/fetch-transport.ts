// HTTP/1.1 by the fetch of Node.js, over connections of undici's package: fetch takes a dispatcher, and so whatever can be set on undici's.
import { clientClosed } from "@roundtrip/contract";
import { Dispatcher1Wrapper, type Dispatcher } from "undici";
import { type HttpStreamRequest, type HttpTransport, overBefore } from "@roundtrip/styles/http/client";
import type { HttpPool } from "../../../shared/undici/http-pool.ts";
import { openPool } from "../../../shared/undici/open-pool.ts";
import { undiciSettingsWith } from "../../../shared/undici/undici-settings.ts";
import type { ConnectOptions } from "../../../stack.ts";
import { FetchExchange } from "./fetch-exchange.ts";

/** What fetch is asked for, on the connections of a pool. */
type Ask = (request: HttpStreamRequest, exchange: FetchExchange) => Promise<Response>;

function asker(origin: string, pool: HttpPool, reset: boolean): Ask {
  // The undici in Node.js may be older than the package.
  const wrapped = new Dispatcher1Wrapper(pool as unknown as Dispatcher);
  return ({ method, path, headers, body }, exchange) => {
    const isStream = typeof body === "object" && Symbol.asyncIterator in body;
    // fetch takes "." and ".." in a path for steps, which they are not: the path is sent as it is.
    const dispatch: Dispatcher["dispatch"] = (options, handler) =>
      wrapped.dispatch({ ...options, path, reset }, handler);
    const init = {
      method,
      headers,
      body: isStream ? exchange.requestBody(body) : (body ?? null),
      duplex: "half",
      dispatcher: { dispatch },
    };
    return exchange.respond(origin + path, init as unknown as RequestInit);
  };
}

/** Connections to the server at `url` (its origin; a path in it is not used). Connects with the first call. */
export function fetchTransport({ url, ca, connections, maxMessageBytes, settings }: ConnectOptions): HttpTransport {
  const { origin } = new URL(url);
  // With `reset`, undici asks the server to close the connection after its answer, and closes it too.
  const { newConnectionPerCall: reset, ...set } = undiciSettingsWith(settings);
  const pool = openPool(origin, { ...set, ca, connections });
  const ask = asker(origin, pool, reset);
  let streamPool: HttpPool | undefined;
  let askStream: Ask | undefined;
  let closed: Promise<unknown> | undefined;
  return {
    async send(request) {
      const ended = overBefore(request);
      if (ended !== undefined) throw ended;
      const exchange = new FetchExchange(origin, request);
      return exchange.whole(await ask(request, exchange), maxMessageBytes);
    },
    async stream(request) {
      const ended = closed === undefined ? overBefore(request) : clientClosed();
      if (ended !== undefined) throw ended;
      const exchange = new FetchExchange(origin, request);
      streamPool ??= openPool(origin, { ...set, ca, connections: null });
      askStream ??= asker(origin, streamPool, reset);
      return exchange.stream(await askStream(request, exchange));
    },
    close: async () => {
      await (closed ??= Promise.all([pool.close(), streamPool?.close()]));
    },
  };
}
