// How long one HTTP/2 connection may keep a server waiting: for its first call, for another one, for requests to come whole, and for
// somebody to take the answers.
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { closeSession, type Connection } from "./close-session.ts";
import { UnreadAnswers, type UnreadLimits } from "./unread-answers.ts";

export interface WatchLimits extends UnreadLimits {
  /** Until the first call has begun, and until a client that was sent a GOAWAY has gone. */
  readonly maxHeadersMs: number;
  /** Until a request has come whole; those of a stream are not counted here. */
  readonly maxRequestMs: number;
  /** Without a call, after there were some. */
  readonly maxConnectionIdleMs: number;
  /** The methods that take a stream of requests, by path. */
  readonly requestStreams: ReadonlySet<string>;
  /** The headers that answer a request which has not come whole in time. */
  readonly lateRequest: OutgoingHttpHeaders;
}

interface Opened {
  readonly atMs: number;
  readonly path: string | undefined;
}

/** Answers a call whose request is not waited for any longer, unless an answer has begun. */
function giveUp(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (!stream.headersSent) stream.respond(headers, { endStream: true });
  stream.close(stream.writableEnded ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
}

export class SessionWatch {
  readonly #connection: Connection;
  readonly #limits: WatchLimits;
  readonly #unread: UnreadAnswers;
  /** Calls under way, the oldest first. */
  readonly #open = new Map<ServerHttp2Stream, Opened>();
  #quietSinceMs = performance.now();
  #hasCalled = false;
  #leavingSinceMs: number | undefined;

  constructor(connection: Connection, limits: WatchLimits) {
    this.#connection = connection;
    this.#limits = limits;
    this.#unread = new UnreadAnswers(connection, limits);
    connection.session.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      this.#hasCalled = true;
      this.#open.set(stream, { atMs: performance.now(), path: headers[":path"] });
      stream.once("close", () => {
        this.#open.delete(stream);
        if (this.#open.size === 0) this.#quietSinceMs = performance.now();
      });
    });
  }

  /** Ends what has taken too long by now. To be called now and then. */
  look(nowMs: number): void {
    const { maxHeadersMs, maxRequestMs, maxConnectionIdleMs, requestStreams, lateRequest } = this.#limits;
    for (const [stream, { atMs, path = "" }] of this.#open) {
      if (nowMs - atMs < maxRequestMs) break;
      const isAwaited = !stream.readableEnded && (stream.writableEnded || !requestStreams.has(path));
      if (isAwaited && !stream.closed) giveUp(stream, lateRequest);
    }
    this.#unread.look(nowMs, [...this.#open.keys()]);
    if (this.#open.size > 0) return;
    const waitedMs = nowMs - this.#quietSinceMs;
    if (this.#leavingSinceMs === undefined) {
      if (waitedMs >= (this.#hasCalled ? maxConnectionIdleMs : maxHeadersMs)) {
        this.#leavingSinceMs = nowMs;
        // GOAWAY: a client that is there opens another connection for its next call.
        this.#connection.session.close();
      }
    } else if (nowMs - this.#leavingSinceMs >= maxHeadersMs) closeSession(this.#connection, constants.NGHTTP2_NO_ERROR);
  }
}
