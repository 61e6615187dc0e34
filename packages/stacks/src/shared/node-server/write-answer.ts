// Writes answers with Node.js's own response.
import { ConnectionCut } from "@roundtrip/contract";
import type { ServerResponse } from "node:http";
import {
  cutShort,
  closeConnection,
  type HttpAnswer,
  type ServedExchange,
  type WholeAnswer,
} from "@roundtrip/styles/http/server";

/** Writes an answer without a stream. Does nothing if the caller is gone. */
function writeWhole({ status, headers, body, cut }: WholeAnswer, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === "before") {
    closeConnection(response);
    return;
  }
  if (cut === "inside") cutShort(response);
  response.writeHead(status, headers).end(body);
}

/** Resolves when the response is writable, the caller is gone, or the signal aborts. */
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

/** Sends what is written, and closes the connection before the body's end, so that callers detect a truncated body. */
function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.end();
}

/**
 * Writes an answer no faster than the caller reads. Resolves when it is written or the caller is gone; never rejects. @param signal aborts to get the
 * next piece although the caller does not read.
 */
async function writePieces(
  { status, headers }: HttpAnswer,
  pieces: AsyncIterator<string | Uint8Array>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
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

export function writeNow(
  { signal }: Pick<ServedExchange, "signal">,
  answer: HttpAnswer,
  response: ServerResponse,
): void {
  const { body } = answer;
  if (typeof body !== "object" || body instanceof Uint8Array) writeWhole(answer as WholeAnswer, response);
  else void writePieces(answer, body[Symbol.asyncIterator](), response, signal);
}

/** Writes an answer when it is ready; cancels the exchange if the caller disconnects before. @param write replaces Node.js's own response. */
export function writeAnswer(
  exchange: ServedExchange,
  answer: WholeAnswer | Promise<HttpAnswer>,
  response: ServerResponse,
  write: typeof writeNow = writeNow,
): void {
  if (!(answer instanceof Promise)) {
    write(exchange, answer, response);
    return;
  }
  response.on("close", () => {
    if (!response.writableFinished) exchange.cancel();
  });
  void answer.then((later) => write(exchange, later, response));
}
