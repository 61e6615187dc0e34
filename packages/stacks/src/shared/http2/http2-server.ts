// Listening and shutdown of servers over HTTP/2 on node:http2.
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import type { RequestFaults, RunningServer, ServeOptions } from "../../basics/stack.ts";
import { callerJudge, type JudgeCaller } from "../callers.ts";
import { listen } from "../listening.ts";
import type { SettingsOf } from "../settings.ts";
import { SessionWatch, type WatchLimits } from "./session-watch.ts";
import { type http2ServerSettings, sendPings } from "./http2-settings.ts";

// TLS handshakes in progress. There is no HTTP/2 session with a time limit until a handshake is complete.

/** Identifies a TCP connection by its ends: the same for a socket and the TLS socket on top of it. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

class Handshakes {
  readonly #begun = new Map<string, { readonly socket: Socket; readonly atMs: number }>();

  /** @param server an HTTP/2 server over TLS; without TLS there are no handshakes. */
  constructor(server: Http2Server) {
    server.on("connection", (socket: Socket) => {
      const ends = endsOf(socket);
      this.#begun.set(ends, { socket, atMs: performance.now() });
      socket.once("close", () => this.#begun.delete(ends));
    });
    server.on("secureConnection", (socket: Socket) => this.#begun.delete(endsOf(socket)));
  }

  /** Closes connections whose handshake has taken longer than `maxMs`. Call this at intervals. */
  enforceLimits(nowMs: number, maxMs: number): void {
    for (const { socket, atMs } of this.#begun.values()) {
      if (nowMs - atMs < maxMs) return;
      socket.destroy();
    }
  }
}

// Limits of HTTP/2 connections on node:http2 that a library may not offer: window, number, duration, waiting answers, and cutting off.

interface Http2SessionOptions extends WatchLimits, Pick<ServeOptions, "watch"> {
  readonly maxConnections: number;
  /** HTTP/2 receive window of the server, for each connection and each stream, in bytes. */
  readonly flowControlWindowBytes: number;
  /** False closes each connection after its first calls. */
  readonly keepAlive: boolean;
}

/** A slow connection is closed at most this fraction of `maxHeadersMs` after its limit, as over HTTP/1.1. */
const ticks = 4;

/** A GOAWAY with this last stream refuses no call in progress, and asks for no further ones (RFC 9113, section 6.8). */
const noMoreStreams = 2 ** 31 - 1;

/**
 * Keeps no connection for a second call: announces that before the answer to the first one. Calls that have arrived by then are served too. A call
 * still on its way is refused before it has an effect; the client retries it on its next connection
 * (https://github.com/grpc/proposal/blob/master/A6-client-retries.md#transparent-retries).
 */
function closeAfterCall(session: ServerHttp2Session): void {
  let streams = 0;
  session.on("stream", (stream) => {
    streams += 1;
    stream.once("close", () => {
      streams -= 1;
      if (streams === 0) session.close();
    });
  });
  session.once("stream", () => session.goaway(constants.NGHTTP2_NO_ERROR, noMoreStreams));
}

export class Http2Sessions {
  readonly #open = new Map<ServerHttp2Session, SessionWatch>();

  constructor(servers: Iterable<Http2Server>, options: Http2SessionOptions) {
    for (const server of servers) this.#take(server, options);
  }

  /** Sends GOAWAY: each connection closes once its calls are over. */
  close(): void {
    for (const session of this.#open.keys()) session.close();
  }

  destroy(): void {
    for (const session of this.#open.keys()) session.destroy(undefined, constants.NGHTTP2_CANCEL);
  }

  #take(server: Http2Server, options: Http2SessionOptions): void {
    const { maxConnections, flowControlWindowBytes, keepAlive, maxHeadersMs } = options;
    options.watch?.listen(server);
    server.maxConnections = maxConnections;
    server.updateSettings({ initialWindowSize: flowControlWindowBytes });
    // A session is created when its connection opens, and does not expose its socket later.
    let latest: Socket | undefined;
    const isTls = "setSecureContext" in server;
    server.prependListener(isTls ? "secureConnection" : "connection", (socket: Socket) => (latest = socket));
    server.on("session", (session) => {
      session.setLocalWindowSize(flowControlWindowBytes);
      if (!keepAlive) closeAfterCall(session);
      if (latest === undefined) throw new Error("a session without a connection");
      this.#open.set(session, new SessionWatch({ session, socket: latest }, options));
      session.once("close", () => this.#open.delete(session));
    });
    const handshakes = isTls ? new Handshakes(server) : undefined;
    const enforceLimits = (): void => {
      const nowMs = performance.now();
      handshakes?.enforceLimits(nowMs, maxHeadersMs);
      for (const watch of this.#open.values()) watch.enforceLimits(nowMs);
    };
    const tick = setInterval(enforceLimits, Math.ceil(maxHeadersMs / ticks)).unref();
    server.once("close", () => clearInterval(tick));
  }
}

export interface Http2Serving extends RequestFaults {
  readonly set: SettingsOf<typeof http2ServerSettings>;
  /** Answers requests: adds listeners to the server before it listens, which refuse callers at fault. */
  readonly attach: (server: Http2Server, judgeCaller: JudgeCaller) => void;
  /** Replaces the class of responses, for servers that use Node.js's compatibility layer. */
  readonly responseClass?: ServerOptions["Http2ServerResponse"];
}

function serverOf({ tls }: ServeOptions, { set, responseClass }: Http2Serving): Http2Server {
  const options: ServerOptions = {
    settings: { maxConcurrentStreams: set.maxConcurrentStreams },
    // The memory of a connection is limited by its calls at once, and by the answers that wait: see Http2Sessions.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    ...(responseClass === undefined ? {} : { Http2ServerResponse: responseClass }),
  };
  return tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
}

function closed(server: Http2Server, sessions: Http2Sessions, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      sessions.destroy();
      // Remaining connections do not speak HTTP/2 yet; do not wait for them.
      resolve();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    sessions.close();
  });
}

/** Serves HTTP/2, over TLS with `tls`, on a port of its own or a shared one. Rejects with a StackError when it cannot listen. */
export async function serveHttp2(options: ServeOptions, serving: Http2Serving): Promise<RunningServer> {
  const { set, attach } = serving;
  const { sharedPort } = options;
  if (sharedPort !== undefined) {
    const server = serverOf({ ...options, tls: undefined }, serving);
    options.watch?.listen(server);
    attach(server, callerJudge(sharedPort, options, set.allowedHosts));
    sharedPort.takeHttp2(server, serving);
    return { url: sharedPort.url, close: () => sharedPort.close() };
  }
  const server = serverOf(options, serving);
  const sessions = new Http2Sessions([server], { ...options, ...set, faultsOf: () => serving, isEager: false });
  server.on("session", (session) => sendPings(session, set, () => true));
  attach(server, callerJudge(server, options, set.allowedHosts));
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return { url, close: () => (closing ??= closed(server, sessions, options.shutdownGraceMs)) };
}
