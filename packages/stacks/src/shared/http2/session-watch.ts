// Limits how long one HTTP/2 connection may keep a server waiting: for a call, for whole requests, and for a caller to read answers.
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { heldBy, type HeldMemory, memoryExhausted } from "@roundtrip/contract";
import type { RequestFaults } from "../../basics/stack.ts";
import { unreadAnswers } from "../unread-answers.ts";
import { type CountedConnection, countReceived, endReceived } from "./received-requests.ts";

// Closes HTTP/2 connections without a GOAWAY. All calls on them end too.

/** A session and its socket: Node.js keeps the socket of a destroyed session open while it has bytes to send. */
interface Connection {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
}

/** Closes a connection at once, even with unsent bytes. */
function closeSession({ session, socket }: Connection, code: number): void {
  session.destroy(undefined, code);
  socket.destroy();
}

/**
 * Closes the connection of a call after this part of its answer is sent, or at once without one. A GOAWAY before that would mean that the call may be
 * retried. Headers and earlier writes must have been sent.
 */
export function closeSessionAfter(stream: ServerHttp2Stream, part: Uint8Array | undefined): void {
  const close = (): void => stream.session?.socket.destroySoon();
  if (part === undefined || stream.destroyed) close();
  else stream.write(part, close);
}

// Limits the unread answers of one HTTP/2 connection, which callers can stop by their windows (flow control): their bytes, and how long they wait.

interface UnreadLimits {
  /** How long answers may wait while the caller reads none, in milliseconds. */
  readonly maxUnreadMs: number;
  /** Bytes of answers that may wait when another one is added. */
  readonly maxUnreadBytes: number;
}

/** Smaller answers are not counted: the maximum number of calls per connection limits them. */
export const countedBytes = 16 * 1024;

/** Bytes that the server may send while no answer is read: replies to pings. */
const signsOfLifeBytes = 1_024;

const ofSessions = new WeakMap<object, UnreadAnswers>();

/** Records the bytes of answers that wait in a stream. Needed for {@link countedBytes} or more. */
export function noteUnread(stream: ServerHttp2Stream, bytes: number): void {
  const { session } = stream;
  if (session !== undefined) ofSessions.get(session)?.note(stream, bytes);
}

/** Records the bytes of a message of a stream of answers while its writer waits: up to the writer's limit, or one larger message. */
export async function noteUnreadUntil(taken: Promise<void>, stream: ServerHttp2Stream, bytes: number): Promise<void> {
  noteUnread(stream, bytes);
  await taken;
  noteUnread(stream, 0);
}

/** Whether the service has the whole request and has not answered yet. */
function isAtWork({ readableEnded, writableEnded, writableLength }: ServerHttp2Stream): boolean {
  return readableEnded && !writableEnded && writableLength === 0;
}

class UnreadAnswers {
  readonly #connection: Connection;
  readonly #limits: UnreadLimits;
  readonly #bytesOf = new Map<ServerHttp2Stream, number>();
  #bytes = 0;
  #takenAtMs = performance.now();
  #bytesTaken = 0;

  constructor(connection: Connection, limits: UnreadLimits) {
    this.#connection = connection;
    this.#limits = limits;
    ofSessions.set(connection.session, this);
  }

  /** Sets the waiting bytes of a call. Closes the connection if it already exceeds the limit. */
  note(stream: ServerHttp2Stream, bytes: number): void {
    if (stream.destroyed) return;
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#close();
    const before = this.#bytesOf.get(stream);
    if (before === undefined) stream.once("close", () => this.#forget(stream));
    this.#bytesOf.set(stream, bytes);
    this.#set(this.#bytes + bytes - (before ?? 0));
  }

  /** Ends calls whose caller reads nothing; also their connection, unless the service works on another of its calls. Call this at intervals. */
  enforceLimits(nowMs: number, open: readonly ServerHttp2Stream[]): void {
    const unread = open.filter(({ writableLength }) => writableLength > 0);
    const bytesTaken = this.#connection.socket.bytesWritten;
    if (unread.length === 0 || bytesTaken - this.#bytesTaken >= signsOfLifeBytes) {
      this.#takenAtMs = nowMs;
      this.#bytesTaken = bytesTaken;
    } else if (nowMs - this.#takenAtMs >= this.#limits.maxUnreadMs) {
      if (!open.some(isAtWork)) this.#close();
      else for (const stream of unread) stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  #forget(stream: ServerHttp2Stream): void {
    this.#set(this.#bytes - (this.#bytesOf.get(stream) ?? 0));
    this.#bytesOf.delete(stream);
  }

  #set(bytes: number): void {
    this.#bytes = bytes;
    const { session } = this.#connection;
    unreadAnswers.set(session, session.destroyed ? 0 : bytes, () => this.#close());
  }

  #close(): void {
    closeSession(this.#connection, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

export interface WatchLimits extends UnreadLimits {
  /** Maximum time until the first call begins, and until a client closes after a GOAWAY. */
  readonly maxHeadersMs: number;
  /** Maximum time to receive a whole request, request streams excepted. */
  readonly maxRequestMs: number;
  /** Maximum time without a call after the first. */
  readonly maxConnectionIdleMs: number;
  /** What is done to a request with these headers that is given up. */
  readonly faultsOf: (headers: IncomingHttpHeaders) => RequestFaults;
  /** Whether the library decodes requests of gRPC as they arrive, however many there are. */
  readonly isEager: boolean;
}

function isCompressed({ "grpc-encoding": encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined && encoding !== "identity";
}

interface Opened {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
}

/** Ends a call whose request is late. Answers it unless an answer has begun. */
function giveUp(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (!stream.headersSent) stream.respond(headers, { endStream: true });
  stream.close(stream.writableEnded ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
}

export class SessionWatch implements CountedConnection {
  readonly memory: HeldMemory;
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
    this.memory = heldBy(connection.session);
    connection.session.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      this.#hasCalled = true;
      this.#open.set(stream, { atMs: performance.now(), headers });
      const isStream = limits.faultsOf(headers).requestStreams.has(headers[":path"] ?? "");
      countReceived(stream, this, { isStream, isCompressed: isCompressed(headers), isEager: limits.isEager });
      stream.once("close", () => {
        this.#open.delete(stream);
        endReceived(stream);
        if (this.#open.size === 0) this.#quietSinceMs = performance.now();
      });
    });
    // Those that nobody reads would stay open.
    connection.session.once("close", () => {
      for (const stream of this.#open.keys()) stream.destroy();
    });
  }

  /** Ends a call of which there is too much. Not while Node.js reads the stream. What has come of it must not wait for somebody to read it. */
  refuse(stream: ServerHttp2Stream): void {
    process.nextTick(() => {
      // After the answer.
      stream.once("finish", () => setImmediate(() => stream.destroy()));
      const { headers } = this.#open.get(stream) ?? {};
      if (headers === undefined || stream.closed) return;
      giveUp(stream, this.#limits.faultsOf(headers).exhaustedRequest(memoryExhausted()));
    });
  }

  /** Ends calls and connections that exceed a limit. Call this at intervals. */
  enforceLimits(nowMs: number): void {
    const { maxHeadersMs, maxRequestMs, maxConnectionIdleMs, faultsOf } = this.#limits;
    for (const [stream, { atMs, headers }] of this.#open) {
      if (nowMs - atMs < maxRequestMs) break;
      const { requestStreams, lateRequest } = faultsOf(headers);
      const isStream = requestStreams.has(headers[":path"] ?? "");
      const isAwaited = !stream.readableEnded && (stream.writableEnded || !isStream);
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
