// Closes HTTP/2 connections without a GOAWAY. All calls on them end too.
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

/** A session and its socket: Node.js keeps the socket of a destroyed session open while it has bytes to send. */
export interface Connection {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
}

/** Closes a connection at once, even with unsent bytes. */
export function closeSession({ session, socket }: Connection, code: number): void {
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
