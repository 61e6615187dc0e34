// Limits of HTTP/2 connections on node:http2 that a library may not offer: window, number, duration, waiting answers, and cutting off.
import { constants, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { ServeOptions } from "../../basics/stack.ts";
import { Handshakes } from "./handshakes.ts";
import { SessionWatch, type WatchLimits } from "./session-watch.ts";

export interface Http2SessionOptions extends WatchLimits, Pick<ServeOptions, "watch"> {
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
