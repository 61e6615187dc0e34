// Opens pools of HTTP/1.1 connections.
import { Client, Pool } from "undici";
import { httpConnector, type HttpConnectorOptions } from "./http-connector.ts";
import { most } from "../http-settings.ts";
import { type HttpPool, IdleLimitedPool } from "./idle-limited-pool.ts";

export interface HttpPoolOptions extends HttpConnectorOptions {
  /** Maximum number of connections; null for no limit. */
  readonly connections: number | null;
  readonly idleConnections: number;
  readonly clientIdleTimeoutMs: number;
}

export function openPool(origin: string, options: HttpPoolOptions): HttpPool {
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
  if (idleConnections >= (connections ?? most)) return new Pool(origin, { connections, ...ofEach });
  return new IdleLimitedPool(() => new Client(origin, ofEach), { connections, idleConnections });
}
