// The HTTP/2 connections of a server on node:http2, for what its library may have no option for: their window, how many there may
// be, how long they last, what they may keep waiting, and cutting them off.
import { constants, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { Handshakes } from "./handshakes.ts";
import { SessionWatch, type WatchLimits } from "./session-watch.ts";

export interface Http2SessionOptions extends WatchLimits {
  readonly maxConnections: number;
  /** HTTP/2 window of what the server receives, on each connection and on each stream. */
  readonly flowControlWindowBytes: number;
  /** False closes each connection after the calls that it was opened for. */
  readonly keepAlive: boolean;
}

/** A connection that is too slow is dropped at the limit, or this share of `maxHeadersMs` later, as over HTTP/1.1. */
const ticks = 4;

/** GOAWAY with this last stream refuses nothing that is under way, and asks for nothing more (RFC 9113, section 6.8). */
const noMoreStreams = 2 ** 31 - 1;

/**
 * Keeps no connection for a second call: says with the first one, before its answer, that there is to be no other. Calls that have come by
 * then are served too; one that is still under way is refused before anything is done about it, and the client makes it again on its next
 * connection (https://github.com/grpc/proposal/blob/master/A6-client-retries.md#transparent-retries).
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

/** The open connections of servers that listen. */
export class Http2Sessions {
  readonly #open = new Map<ServerHttp2Session, SessionWatch>();

  constructor(servers: Iterable<Http2Server>, options: Http2SessionOptions) {
    for (const server of servers) this.#take(server, options);
  }

  /** Cuts off every connection and the calls on it. */
  destroy(): void {
    for (const session of this.#open.keys()) session.destroy(undefined, constants.NGHTTP2_CANCEL);
  }

  #take(server: Http2Server, options: Http2SessionOptions): void {
    const { maxConnections, flowControlWindowBytes, keepAlive, maxHeadersMs } = options;
    server.maxConnections = maxConnections;
    server.updateSettings({ initialWindowSize: flowControlWindowBytes });
    // A session is made as its connection comes, and shows its socket to no caller afterwards.
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
    const look = (): void => {
      const nowMs = performance.now();
      handshakes?.look(nowMs, maxHeadersMs);
      for (const watch of this.#open.values()) watch.look(nowMs);
    };
    const tick = setInterval(look, Math.ceil(maxHeadersMs / ticks)).unref();
    server.once("close", () => clearInterval(tick));
  }
}
