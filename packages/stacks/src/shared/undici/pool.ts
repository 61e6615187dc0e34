// Connections of undici: opened with a connection's settings, closed when idle, and shared by the calls of a client.
import { type CallError, clientClosed } from "@roundtrip/contract";
import { buildConnector, Client, type Dispatcher, errors, Pool } from "undici";
import { serverUnavailable } from "@roundtrip/styles/client";
import type { ExchangeLimits } from "@roundtrip/styles/http/client";
import type { ConnectOptions } from "../../basics/stack.ts";
import { callsAndStreams, type CallTransport } from "../calls.ts";
import { maxInt32, undiciSettingsWith } from "../settings.ts";

// A pool that limits its idle connections, as many clients do. undici's own pool keeps all.

/** A pool of HTTP/1.1 connections. */
interface HttpPool {
  /** Sends a request on a free connection, opens one, or waits for one. The handler gets every event. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Refuses new requests, waits for those in progress, then closes every connection. */
  close(): Promise<void>;
}

interface Waiting {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

interface IdleLimitedPoolOptions {
  /** Maximum number of concurrent calls; further calls wait. Null for no limit. */
  readonly connections: number | null;
  readonly idleConnections: number;
}

/** Each connection is an undici client, which emits `drain` when it can take another call. */
class IdleLimitedPool implements HttpPool {
  readonly #open: () => Client;
  readonly #mostAtOnce: number;
  readonly #mostIdle: number;
  readonly #all = new Set<Client>();
  /** The connection used last is used next. */
  readonly #idle: Client[] = [];
  readonly #waiting: Waiting[] = [];
  #closed: Promise<void> | undefined;
  #whenNoneWaits: (() => void) | undefined;

  constructor(open: () => Client, { connections, idleConnections }: IdleLimitedPoolOptions) {
    this.#open = open;
    this.#mostAtOnce = connections ?? Number.POSITIVE_INFINITY;
    this.#mostIdle = idleConnections;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#closed !== undefined) {
      // The request never began, so there is no controller.
      handler.onResponseError?.(undefined as never, new errors.ClientClosedError());
      return;
    }
    const client = this.#idle.pop() ?? (this.#all.size < this.#mostAtOnce ? this.#opened() : undefined);
    if (client === undefined) this.#waiting.push({ options, handler });
    else client.dispatch(options, handler);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  #opened(): Client {
    const client = this.#open();
    this.#all.add(client);
    client.on("drain", () => this.#over(client));
    // A connection closed by the server or a time-out is not idle.
    client.on("disconnect", () => {
      const place = this.#idle.indexOf(client);
      if (place === -1) return;
      this.#idle.splice(place, 1);
      this.#letGo(client);
    });
    return client;
  }

  #over(client: Client): void {
    const next = this.#waiting.shift();
    if (next !== undefined) client.dispatch(next.options, next.handler);
    else if (client.stats.connected && this.#idle.length < this.#mostIdle) this.#idle.push(client);
    else this.#letGo(client);
    if (this.#waiting.length === 0) this.#whenNoneWaits?.();
  }

  #letGo(client: Client): void {
    this.#all.delete(client);
    // Resolves when its socket is closed; never rejects.
    void client.close();
  }

  async #closeAll(): Promise<void> {
    if (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenNoneWaits = resolve;
      });
    }
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((client) => client.close()));
  }
}

// Opens the connections of the HTTP client. TLS uses a separate TCP socket, whose counters count bytes on the wire.

interface HttpConnectorOptions {
  /** Certificate authority in PEM; undefined uses the system's. */
  readonly ca: string | undefined;
  readonly tlsResumption: boolean;
}

/** Opens TCP connections for http and TLS connections for https, each step within undici's connect timeout of 10 s. */
export function httpConnector({ ca, tlsResumption }: HttpConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    ...(tlsResumption ? {} : { maxCachedSessions: 0 }),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    if (options.protocol !== "https:") {
      connect(options, callback);
      return;
    }
    const { hostname } = options;
    const port = options.port === "" ? "443" : options.port;
    connect({ hostname, port, protocol: "http:" }, (...[error, tcp]) => {
      if (error !== null) callback(error, null);
      else connect({ ...options, port, httpSocket: tcp }, callback);
    });
  };
}

export interface HttpPoolOptions extends HttpConnectorOptions {
  /** Maximum number of connections; null for no limit. */
  readonly connections: number | null;
  readonly idleConnections: number;
  readonly clientIdleTimeoutMs: number;
}

function openPool(origin: string, options: HttpPoolOptions): HttpPool {
  const { connections, idleConnections, clientIdleTimeoutMs } = options;
  const ofEach = {
    pipelining: 1,
    // A server's Keep-Alive header takes precedence, up to the second value.
    keepAliveTimeout: clientIdleTimeoutMs,
    keepAliveMaxTimeout: clientIdleTimeoutMs,
    // The same limit as the servers': an answer may have as many headers as a request.
    maxHeaderSize: 64 * 1024,
    // The caller sets deadlines.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: httpConnector(options),
  } as const;
  // undici's own pool suffices if all connections may be idle.
  if (idleConnections >= (connections ?? maxInt32)) return new Pool(origin, { connections, ...ofEach });
  return new IdleLimitedPool(() => new Client(origin, ofEach), { connections, idleConnections });
}

// HTTP/1.1 on undici connections, for each of its request interfaces.

export interface PooledOrigin {
  readonly origin: string;
  readonly pool: HttpPool;
  /** Makes undici ask the server to close the connection after the answer. */
  readonly reset: boolean;
  readonly maxMessageBytes: number;
}

/** The error of a request that undici could not complete. */
export function lostRequest(origin: string, error: Error): CallError {
  const isClosed = error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
  return isClosed ? clientClosed({ cause: error }) : serverUnavailable(origin, error);
}

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. @param senderOn sends requests on a pooled. */
export function pooledTransport<Call extends ExchangeLimits, Answer>(
  { url, ca, connections, maxMessageBytes, settings }: ConnectOptions,
  senderOn: (pooled: PooledOrigin) => Omit<CallTransport<Call, Answer>, "close">,
): CallTransport<Call, Answer> {
  const { origin } = new URL(url);
  const { newConnectionPerCall: reset, ...set } = undiciSettingsWith(settings);
  return callsAndStreams(connections, (maxConnections) => {
    const pool = openPool(origin, { ...set, ca, connections: maxConnections });
    return { ...senderOn({ origin, pool, reset, maxMessageBytes }), close: () => pool.close() };
  });
}
