// Requests that are sent before earlier ones are answered (pipelining; RFC 9112, section 9.3.2). Answers go out in their order, but Node.js
// passes the requests on as they come: one connection could have any number of handlers at work.
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Requests of a connection that may wait for those before them. */
export const mostWaiting = 100;

/**
 * The listener, asked for one request of a connection after the other. Whoever has more than {@link mostWaiting} wait is hung up on; who
 * waits for answers, as nearly all callers do, costs a look at a property.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node.js gives a response its connection when those before it are out.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    if (others >= mostWaiting) {
      socket.destroy();
      return;
    }
    waiting.set(socket, others + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      // Not from within the end of the response before.
      queueMicrotask(() => listener(request, response));
    });
  };
}
