// A node:http listener for an HTTP service. Most server libraries are or accept such listeners.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  type HttpAnswer,
  type HttpService,
  type ReceivedRequest,
  type ServedExchange,
  type WholeAnswer,
} from "@roundtrip/styles/http/server";
import { ConnectionCut, firstHalf } from "@roundtrip/contract";
import type { ServeOptions } from "../../basics/stack.ts";
import { accepts, codecOf, leastCompressedBytes } from "../codings.ts";
import { bodyReader, type ReadBytes, unhurriedBody } from "./request-body.ts";

// Closes connections on purpose: before an answer, or in its middle.

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

// Writes answers with Node.js's own response.

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

/** Compresses large answers for callers that accept the coding; a cut one stays as it is. */
export function writerOf(coding: string): typeof writeNow {
  const codec = codecOf(coding);
  if (codec === undefined) return writeNow;
  return (exchange, answer, response) => {
    const { body, headers, cut } = answer;
    const isWhole = typeof body === "string" || body instanceof Uint8Array;
    if (!isWhole || cut !== undefined || body.length < leastCompressedBytes) {
      writeNow(exchange, answer, response);
      return;
    }
    const { vary } = headers;
    const varying = { ...headers, vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding` };
    if (!accepts(coding, response.req.headers["accept-encoding"])) {
      writeNow(exchange, { ...answer, headers: varying }, response);
      return;
    }
    const compressed = async (): Promise<HttpAnswer> => {
      const bytes = await codec.compress(body);
      const encoded = { ...varying, "content-encoding": coding, "content-length": bytes.length };
      return { ...answer, headers: encoded, body: bytes };
    };
    void compressed().then((encoded) => writeNow(exchange, encoded, response));
  };
}

/** Cancels the exchange if the caller disconnects before the answer, or has already: its body may have waited for a turn. */
export function watchCaller(exchange: ServedExchange, response: ServerResponse): void {
  if (response.destroyed) exchange.cancel();
  else {
    response.once("close", () => {
      if (!response.writableFinished) exchange.cancel();
    });
  }
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
  watchCaller(exchange, response);
  void answer.then((later) => write(exchange, later, response));
}

/** The request listener of a service. @param read reads bodies of at most `maxMessageBytes`. */
export function nodeListener(
  service: HttpService,
  read: ReadBytes,
  { maxMessageBytes, maxRequestMs }: Pick<ServeOptions, "maxMessageBytes" | "maxRequestMs">,
  write: typeof writeNow = writeNow,
): RequestListener {
  const readBody = bodyReader(read, maxMessageBytes);
  return (request, response) => {
    // A received request always has a method and a URL.
    const exchange = service.begin(request as IncomingMessage & ReceivedRequest);
    switch (exchange.takes) {
      case "nothing":
        writeAnswer(exchange, exchange.answer(undefined), response, write);
        break;
      case "body":
        readBody(
          request,
          response,
          (body) => writeAnswer(exchange, exchange.answer(body), response, write),
          (fault) => writeAnswer(exchange, exchange.refuse(fault), response, write),
        );
        break;
      case "pieces": {
        const pieces = unhurriedBody(request, response, maxRequestMs);
        writeAnswer(exchange, exchange.answerPieces(pieces), response, write);
      }
    }
  };
}
