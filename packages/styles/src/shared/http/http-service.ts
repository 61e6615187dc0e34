// A service over HTTP without a server library: requests, exchanges, answers and errors as values.
import { type CallError, ServerCall } from "@roundtrip/contract";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { deadlineHeader, deadlineOf, HeaderMap } from "../call-headers.ts";

// An HTTP answer as a value: the style makes it, the server binding writes it.

/** Names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | number>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /**
   * Text (sent in UTF-8), bytes, or an iteration of either. Each piece is requested after the connection has accepted the one before. If a piece
   * throws, the connection closes before the end of the body.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
  /** Closes the connection on purpose: before the answer, or in the middle of the body. */
  readonly cut: "before" | "inside" | undefined;
}

/** An answer without later pieces. */
export interface WholeAnswer extends HttpAnswer {
  readonly body: string | Uint8Array | undefined;
}

/** No answer: the connection is closed. */
export const droppedAnswer: WholeAnswer = { status: 0, headers: {}, body: undefined, cut: "before" };

// Closes connections on purpose: before an answer, or in its middle.

/** Enough for the middle of any answer, but small enough to be sent at once, even if the caller does not read. */
const mostBytes = 16 * 1024;

/** The first half of bytes, at most 16 KiB, and never all of them unless empty. */
export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), mostBytes));
}

/** The first half of what `write` returns; undefined if it throws, because an answer that is cut may be invalid. */
export function firstHalfOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return firstHalf(write());
  } catch {
    return undefined;
  }
}

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

// An error with a more specific HTTP status than that of its canonical code (404, 405, 406, 413, 415).

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly error: CallError;
  /** Further headers of the answer, for example `allow`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: CallError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

// The body of an answer if HTTP itself refuses a request before the style sees it.

export interface FaultBody {
  readonly type: string;
  readonly text: string;
}

export type WriteFaultBody = (error: CallError, status: number) => FaultBody;

// The server side of a call, from the headers of an HTTP request.

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

/** The headers of a request as the metadata of its calls. */
export function receivedHeaders(request: ReceivedRequest): HeaderMap<ReceivedRequest> {
  return new HeaderMap(request, distinctHeaders, lacksHeader);
}

/** Throws INVALID_ARGUMENT for an invalid deadline. */
export function incomingCall(request: ReceivedRequest): ServerCall {
  return new ServerCall(deadlineOf(request.headers[deadlineHeader]), receivedHeaders(request));
}

// Answers of text, with the metadata of a call as headers.

/** A text answer. @param headers in addition to its type and length. */
export function textAnswer(
  status: number,
  type: string,
  text: string,
  headers: AnswerHeaders | undefined,
): WholeAnswer {
  const length = Buffer.byteLength(text);
  return {
    status,
    headers:
      headers === undefined
        ? { "content-type": type, "content-length": length }
        : { ...headers, "content-type": type, "content-length": length },
    body: text,
    cut: undefined,
  };
}

/** An answer without content. */
export function noContent(headers: AnswerHeaders = {}): WholeAnswer {
  return { status: 204, headers, body: undefined, cut: undefined };
}

/** The metadata of the answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
export function metadataHeaders(call: ServerCall): AnswerHeaders | undefined {
  const metadata = call.metadataToSend();
  return metadata === undefined ? undefined : Object.fromEntries(metadata);
}

// A request whose answer does not depend on its body.

/** For exchanges that end by themselves. */
export const neverAborted: AbortSignal = new AbortController().signal;

export class SettledExchange implements ServedExchange {
  readonly takes = "nothing";
  readonly signal: AbortSignal = neverAborted;
  readonly #answer: WholeAnswer | Promise<HttpAnswer>;

  /** @param answer never rejects */
  constructor(answer: WholeAnswer | Promise<HttpAnswer>) {
    this.#answer = answer;
  }

  answer(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  // oxlint-disable-next-line require-await -- the same answer for every method
  async answerPieces(): Promise<HttpAnswer> {
    return this.#answer;
  }

  refuse(): WholeAnswer | Promise<HttpAnswer> {
    return this.#answer;
  }

  cancel(): void {
    // No work is left to cancel.
  }
}

// A service over HTTP without a server library. Requests and answers are values.

/** A request without its body. Requests of Node.js have this type and need no copy. */
export interface ReceivedRequest {
  /** In capitals. */
  readonly method: string;
  /** The target of the request line, as received. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The headers with separate values of repeated ones. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** One request until its answer. No method throws or rejects. */
export interface ServedExchange {
  /** How the body is read: not at all, whole by `answer`, or in pieces by `answerPieces`. */
  readonly takes: "nothing" | "body" | "pieces";
  /** Aborted when the answer must end, even if the caller does not read. */
  readonly signal: AbortSignal;
  /** @param body decoded; undefined for a missing or empty one. */
  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer>;
  /** @param pieces of the body on arrival; an error other than a CallError means that the caller has disconnected. */
  answerPieces(pieces: AsyncIterable<Uint8Array>): Promise<HttpAnswer>;
  /** The answer to an unreadable body. */
  refuse(thrown: unknown): WholeAnswer | Promise<HttpAnswer>;
  /** Called when the caller disconnects before the answer is sent. */
  cancel(): void;
}

export interface HttpService {
  begin(request: ReceivedRequest): ServedExchange;
}

/** @param begin may throw. @param refuse the answer to a request whose beginning throws. */
export function httpService(
  begin: (request: ReceivedRequest) => ServedExchange,
  refuse: (thrown: unknown, request: ReceivedRequest) => WholeAnswer,
): HttpService {
  return {
    begin(request) {
      try {
        return begin(request);
      } catch (thrown) {
        return new SettledExchange(refuse(thrown, request));
      }
    },
  };
}

/** A route for a server library's own router. Its service answers every request that the library routes to it. */
export interface PlainRoute extends HttpService {
  readonly method: string;
  /** The path's segments: text, or undefined for a variable. */
  readonly segments: readonly (string | undefined)[];
}

export interface RoutedService extends HttpService {
  /** For server libraries with their own router; all other requests go to the whole service. */
  readonly plainRoutes: readonly PlainRoute[];
}

const absolute = /^https?:\/\/[^/?]*/i;

/** A request target in origin form: a client that expects a proxy sends an absolute URL (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(absolute, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
}
