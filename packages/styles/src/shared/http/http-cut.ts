// Closes connections over HTTP/1.1 on purpose: before an answer, or in its middle.
import type { ServerResponse } from "node:http";
import { firstHalf } from "../first-half.ts";

/** The beginning of the status line, sent for an answer without a body to cut. */
const beginOfHead = "HTTP/1.1 ";

function asBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === "string") return Buffer.from(chunk);
  return chunk instanceof Uint8Array ? chunk : Buffer.alloc(0);
}

/** Passes later writes to `receive` instead of the connection, because a writer may stop too late. */
function divert(response: ServerResponse, receive: (chunk: unknown) => void): void {
  Object.assign(response, {
    write(chunk: unknown) {
      receive(chunk);
      return true;
    },
    end(chunk?: unknown) {
      receive(chunk);
      return response;
    },
  });
}

/** Closes the connection once earlier writes are sent; drops later ones. */
export function closeConnection(response: ServerResponse): void {
  divert(response, () => {});
  if (response.socket === null) response.destroy();
  else response.socket.destroySoon();
}

/** Closes the connection in the next write, after headers and half the body. The headers announce all of it, so that clients detect the cut. */
export function cutShort(response: ServerResponse): void {
  const isBegun = response.headersSent;
  const write = response.write.bind(response);
  divert(response, (chunk) => {
    const bytes = asBytes(chunk);
    if (bytes.length > 0) write(firstHalf(bytes));
    else if (!isBegun) response.socket?.write(beginOfHead);
    closeConnection(response);
  });
}
