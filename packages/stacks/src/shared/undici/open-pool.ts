// Opens the connections that calls over HTTP/1.1 are spread over.
import { Client, Pool } from "undici";
import { httpConnector, type HttpConnectorOptions } from "./http-connector.ts";
import { most } from "../http-settings.ts";
import { type HttpPool, IdleLimitedPool } from "./idle-limited-pool.ts";

export interface HttpPoolOptions extends HttpConnectorOptions {
  /** At most; null for any number. */
  readonly connections: number | null;
  readonly idleConnections: number;
  readonly clientIdleTimeoutMs: number;
}

/** Opens connections to `origin` as requests ask for them. */
export function openPool(origin: string, options: HttpPoolOptions): HttpPool {
  const { connections, idleConnections, clientIdleTimeoutMs } = options;
  const ofEach = {
    pipelining: 1,
    // A server that closes sooner says so in its Keep-Alive header, which takes precedence up to the second of the two.
    keepAliveTimeout: clientIdleTimeoutMs,
    keepAliveMaxTimeout: clientIdleTimeoutMs,
    // As much as the servers here read: an answer may say as much as a request.
    maxHeaderSize: 64 * 1024,
    // Deadlines are the caller's.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: httpConnector(options),
  } as const;
  // Each of them may be idle: undici's own pool keeps all.
  if (idleConnections >= (connections ?? most)) return new Pool(origin, { connections, ...ofEach });
  return new IdleLimitedPool(() => new Client(origin, ofEach), { connections, idleConnections });
}
