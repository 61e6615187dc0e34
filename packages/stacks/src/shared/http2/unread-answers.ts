// Limits the unread answers of one HTTP/2 connection, which callers can stop by their windows (flow control): their bytes, and how long they wait.
import { constants, type ServerHttp2Stream } from "node:http2";
import { closeSession, type Connection } from "./close-session.ts";

export interface UnreadLimits {
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

export class UnreadAnswers {
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
    this.#bytes += bytes - (before ?? 0);
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
    this.#bytes -= this.#bytesOf.get(stream) ?? 0;
    this.#bytesOf.delete(stream);
  }

  #close(): void {
    closeSession(this.#connection, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}
