// Connections over HTTP/1.1 that are closed on purpose: before an answer, or in its middle.
import type { ServerResponse } from "node:http";
import { firstHalf } from "../first-half.ts";

/** The least of an answer: the beginning of its first line, for one that has no body to be cut in. */
const beginOfHead = "HTTP/1.1 ";

function asBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === "string") return Buffer.from(chunk);
  return chunk instanceof Uint8Array ? chunk : Buffer.alloc(0);
}

/** Gives whatever is written from now on to somebody else. Nothing else is done with it: who writes may be told to stop too late. */
function divert(response: ServerResponse, taker: (chunk: unknown) => void): void {
  Object.assign(response, {
    write(chunk: unknown) {
      taker(chunk);
      return true;
    },
    end(chunk?: unknown) {
      taker(chunk);
      return response;
    },
  });
}

/** Closes the connection once what has been written is out; nothing that is written from now on goes out. */
export function hangUp(response: ServerResponse): void {
  divert(response, () => {});
  if (response.socket === null) response.destroy();
  else response.socket.destroySoon();
}

/**
 * Has the connection close in the middle of what is written next: headers and the first half of it go out, and nothing after that. The
 * headers tell of the whole answer, so that nobody takes it for a shorter one.
 */
export function cutShort(response: ServerResponse): void {
  const isBegun = response.headersSent;
  const write = response.write.bind(response);
  divert(response, (chunk) => {
    const bytes = asBytes(chunk);
    if (bytes.length > 0) write(firstHalf(bytes));
    else if (!isBegun) response.socket?.write(beginOfHead);
    hangUp(response);
  });
}
