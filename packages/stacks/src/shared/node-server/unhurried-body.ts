// HTTP/1.1 requests with streams, which have their own time limits. Node.js has no exception for them, so the server checks here before it closes.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";

const unhurried = new WeakSet<Duplex>();

/** Whether the current request of this socket is exempt from the limit. */
export function isExemptFromRequestLimit(socket: Duplex): boolean {
  return unhurried.has(socket);
}

/** Closes the connection if the rest of an answered request takes longer than this. */
export function limitRest(request: IncomingMessage, maxRestMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  const over = (): void => {
    clearTimeout(cut);
    request.off("close", over);
    socket.off("close", over);
  };
  const cut = setTimeout(() => socket.destroy(), maxRestMs).unref();
  request.once("close", over);
  // Node.js does not close a request that it has answered when its connection closes.
  socket.once("close", over);
}

function exemptFromRequestLimit(request: IncomingMessage, response: ServerResponse, maxRestMs: number): void {
  const { socket } = request;
  unhurried.add(socket);
  request.once("close", () => unhurried.delete(socket));
  response.once("finish", () => limitRest(request, maxRestMs));
}

/** The pieces of a body, without a time limit until the answer. Then `maxRestMs` remain for the rest, which is discarded to reuse the connection. */
export function unhurriedBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxRestMs: number,
): AsyncIterable<Uint8Array> {
  exemptFromRequestLimit(request, response, maxRestMs);
  return wholeBody(request);
}

/** The pieces of a body. A reader that stops early leaves the connection open: the rest is discarded. */
export function wholeBody(request: Readable): AsyncIterable<Uint8Array> {
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
