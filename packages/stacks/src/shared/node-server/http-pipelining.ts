// Pipelining: requests that arrive before earlier ones are answered (RFC 9112, section 9.3.2). Node.js sends answers in order, but passes
// requests on at once. Without a limit, one connection could run any number of handlers.
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

const mostWaiting = 100;

/** Runs one request of a connection at a time; closes it above {@link mostWaiting}. Without pipelining this costs one property read. */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node.js gives a response its socket when the responses before it are sent.
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
      // Not within the end of the previous response.
      queueMicrotask(() => listener(request, response));
    });
  };
}
