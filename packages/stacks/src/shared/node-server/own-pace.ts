// Requests over HTTP/1.1 that may take longer than any whole request, because they are streams: somebody else sees to it that they
// make progress. What Node.js does about slow requests knows no exceptions, but for one who looks before the connection is closed.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

const unhurried = new WeakSet<Duplex>();

/** Whether the request that comes on this socket has a pace of its own. */
export function hasOwnPace(socket: Duplex): boolean {
  return unhurried.has(socket);
}

function giveOwnPace(request: IncomingMessage, response: ServerResponse, maxRestMs: number): void {
  const { socket } = request;
  unhurried.add(socket);
  request.once("close", () => unhurried.delete(socket));
  response.once("finish", () => {
    if (request.complete) return;
    const cut = setTimeout(() => socket.destroy(), maxRestMs).unref();
    request.once("close", () => clearTimeout(cut));
  });
}

/**
 * The pieces of a request's body, which may take as long as they want until the request is answered: what is left of them then, which
 * nobody reads, has `maxRestMs` to come. It is received and thrown away, so that the connection can be used again.
 */
export function piecesAtOwnPace(
  request: IncomingMessage,
  response: ServerResponse,
  maxRestMs: number,
): AsyncIterable<Uint8Array> {
  giveOwnPace(request, response, maxRestMs);
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => pieces.next(),
      async return() {
        await pieces.return?.();
        request.resume();
        return { done: true, value: undefined };
      },
    }),
  };
}
