// Writes answers by Node.js's own response: what servers on node:http have in common.
import { ConnectionCut } from "@roundtrip/contract";
import type { ServerResponse } from "node:http";
import {
  cutShort,
  closeConnection,
  type HttpAnswer,
  type ServedExchange,
  type WholeAnswer,
} from "@roundtrip/styles/http/server";

/** Writes an answer that is there at once. Does nothing when the caller has gone. */
function writeWhole({ status, headers, body, cut }: WholeAnswer, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === "before") {
    closeConnection(response);
    return;
  }
  if (cut === "inside") cutShort(response);
  response.writeHead(status, headers).end(body);
}

/** Resolves once more can be written, the caller is gone or the answer has to end. */
function writable(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      signal.removeEventListener("abort", go);
      resolve();
    };
    response.once("drain", go).once("close", go);
    signal.addEventListener("abort", go);
    if (response.destroyed || signal.aborted) go();
  });
}

/** Sends what has been written, and ends the connection without the body's end: a caller takes it for no shorter body. */
function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.end();
}

/**
 * Writes an answer, its pieces no faster than the caller reads them. Resolves when it is written or the caller has gone; never rejects.
 * @param signal aborted when the next piece shall be asked for although the caller does not read
 */
async function writeLater(answer: HttpAnswer, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { status, headers, body } = answer;
  if (typeof body !== "object" || body instanceof Uint8Array) {
    writeWhole(answer as WholeAnswer, response);
    return;
  }
  const pieces = body[Symbol.asyncIterator]();
  if (!response.destroyed) response.writeHead(status, headers);
  try {
    while (!response.destroyed) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      const { done, value } = await pieces.next();
      if (done === true) {
        response.end();
        return;
      }
      // oxlint-disable-next-line no-await-in-loop -- no faster than they are read
      if (!response.destroyed && !response.write(value)) await writable(response, signal);
    }
    await pieces.return?.();
  } catch (thrown) {
    if (thrown instanceof ConnectionCut) closeConnection(response);
    else breakOff(response);
  }
}

/** Writes the answer of an exchange, at once or when it is there, and cancels the exchange when the caller goes before that. */
export function writeAnswer(
  exchange: ServedExchange,
  answer: WholeAnswer | Promise<HttpAnswer>,
  response: ServerResponse,
): void {
  if (!(answer instanceof Promise)) {
    writeWhole(answer, response);
    return;
  }
  response.once("close", () => {
    if (!response.writableFinished) exchange.cancel();
  });
  void answer.then((later) => writeLater(later, response, exchange.signal));
}
