// Answers that one HTTP/2 connection holds because its caller does not take them: how many bytes of them there may be, and how long none of
// them may go out. HTTP/2 lets a caller say "not yet" for each of its calls (windows), and the answers are held whole meanwhile.
import { constants, type ServerHttp2Stream } from "node:http2";
import { closeSession, type Connection } from "./close-session.ts";

export interface UnreadLimits {
  /** How long answers may wait while the caller takes none of them. */
  readonly maxUnreadMs: number;
  /** Answers that may wait beside the one that comes. */
  readonly maxUnreadBytes: number;
}

/** Smaller answers are not counted: how many calls a connection may have is their limit. */
export const countedBytes = 16 * 1024;

/** What goes out while answers wait and a caller takes none of them: answers to its pings. */
const signsOfLifeBytes = 1_024;

const ofSessions = new WeakMap<object, UnreadAnswers>();

/** Counts the bytes of answers that a stream has taken and not sent yet; needed only where they are {@link countedBytes} or more. */
export function noteUnread(stream: ServerHttp2Stream, bytes: number): void {
  const { session } = stream;
  if (session !== undefined) ofSessions.get(session)?.note(stream, bytes);
}

/** Whether the service has the request, and has yet to say something. */
function isAtWork({ readableEnded, writableEnded, writableLength }: ServerHttp2Stream): boolean {
  return readableEnded && !writableEnded && writableLength === 0;
}

/** Those of one connection. */
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

  /** Of this call, so many wait now. A caller that lets too much wait is hung up on. */
  note(stream: ServerHttp2Stream, bytes: number): void {
    if (stream.destroyed) return;
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#close();
    const before = this.#bytesOf.get(stream);
    if (before === undefined) stream.once("close", () => this.#forget(stream));
    this.#bytesOf.set(stream, bytes);
    this.#bytes += bytes - (before ?? 0);
  }

  /**
   * Ends calls whose answers wait for a caller who takes nothing, and their connection unless the service is at work for another call on
   * it. To be called now and then.
   */
  look(nowMs: number, open: readonly ServerHttp2Stream[]): void {
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
