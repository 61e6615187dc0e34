// Requests over HTTP/1.1 that may take longer than any whole request, because they are streams: somebody else sees to it that they
// make progress. What Node.js does about slow requests knows no exceptions, but for one who looks before the connection is closed.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

const unhurried = new WeakSet<Duplex>();

/** Whether the request that comes on this socket has a pace of its own. */
export function hasOwnPace(socket: Duplex): boolean {
  return unhurried.has(socket);
}

/** Lets a request take as long as it wants until it is answered: what is left of it then, which nobody reads, has `maxRestMs` to come. */
export function giveOwnPace(request: IncomingMessage, response: ServerResponse, maxRestMs: number): void {
  const { socket } = request;
  unhurried.add(socket);
  request.once("close", () => unhurried.delete(socket));
  response.once("finish", () => {
    if (request.complete) return;
    const cut = setTimeout(() => socket.destroy(), maxRestMs).unref();
    request.once("close", () => clearTimeout(cut));
  });
}
