// Limits how long one HTTP/2 connection may keep a server waiting: for a call, for whole requests, and for a caller to read answers.
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { closeSession, type Connection } from "./close-session.ts";
import { UnreadAnswers, type UnreadLimits } from "./unread-answers.ts";

export interface WatchLimits extends UnreadLimits {
  /** Maximum time until the first call begins, and until a client closes after a GOAWAY. */
  readonly maxHeadersMs: number;
  /** Maximum time to receive a whole request, request streams excepted. */
  readonly maxRequestMs: number;
  /** Maximum time without a call after the first. */
  readonly maxConnectionIdleMs: number;
  readonly requestStreams: ReadonlySet<string>;
  /** The response headers for a request that has not arrived in time. */
  readonly lateRequest: OutgoingHttpHeaders;
}

interface Opened {
  readonly atMs: number;
  readonly path: string | undefined;
}

/** Ends a call whose request is late. Answers it unless an answer has begun. */
function giveUp(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (!stream.headersSent) stream.respond(headers, { endStream: true });
  stream.close(stream.writableEnded ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
}

export class SessionWatch {
  readonly #connection: Connection;
  readonly #limits: WatchLimits;
  readonly #unread: UnreadAnswers;
  /** Calls in progress, the oldest first. */
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

  /** Ends calls and connections that exceed a limit. Call this at intervals. */
  enforceLimits(nowMs: number): void {
    const { maxHeadersMs, maxRequestMs, maxConnectionIdleMs, requestStreams, lateRequest } = this.#limits;
    for (const [stream, { atMs, path = "" }] of this.#open) {
      if (nowMs - atMs < maxRequestMs) break;
      const isAwaited = !stream.readableEnded && (stream.writableEnded || !requestStreams.has(path));
      if (isAwaited && !stream.closed) giveUp(stream, lateRequest);
    }
    this.#unread.enforceLimits(nowMs, [...this.#open.keys()]);
    if (this.#open.size > 0) return;
    const waitedMs = nowMs - this.#quietSinceMs;
    if (this.#leavingSinceMs === undefined) {
      if (waitedMs >= (this.#hasCalled ? maxConnectionIdleMs : maxHeadersMs)) {
        this.#leavingSinceMs = nowMs;
        // Sends GOAWAY: a live client opens another connection for its next call.
        this.#connection.session.close();
      }
    } else if (nowMs - this.#leavingSinceMs >= maxHeadersMs) closeSession(this.#connection, constants.NGHTTP2_NO_ERROR);
  }
}
