// How a server ends an HTTP/2 connection without a goodbye (GOAWAY). All calls on it end with it.
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

/** A connection, and what it goes over: Node.js keeps the socket of a session that is destroyed while bytes of it wait to go out. */
export interface Connection {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
}

/** Closes a connection at once, whatever waits to go out on it. */
export function closeSession({ session, socket }: Connection, code: number): void {
  session.destroy(undefined, code);
  socket.destroy();
}

/**
 * Closes the connection of a call once this part of its answer is out, or at once without one. A GOAWAY before that would say that
 * the call may be made again. Headers and what was written before have to be out.
 */
export function closeSessionAfter(stream: ServerHttp2Stream, part: Uint8Array | undefined): void {
  const close = (): void => stream.session?.socket.destroySoon();
  if (part === undefined || stream.destroyed) close();
  else stream.write(part, close);
}
