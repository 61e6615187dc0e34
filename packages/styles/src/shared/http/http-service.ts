// A service over HTTP without a server library: requests, exchanges, answers and errors as values, and the checks of requests.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import { CallError, type ConnectionCut, ServerCall } from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http";
import Negotiator from "negotiator";
import { deadlineHeader, deadlineOf, HeaderMap, jsonMediaType } from "../call-headers.ts";
import { jsonExcess, type JsonWeights } from "../proto-json/json-limits.ts";
export { deadlineHeader, deadlineOf } from "../call-headers.ts";

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

/** Closes the connection, before the answer or in its middle. @param answerWith the answer of which the first half is sent */
export function cutAnswer({ partOf }: ConnectionCut, answerWith: (message: Message) => WholeAnswer): WholeAnswer {
  if (partOf === undefined) return droppedAnswer;
  try {
    return { ...answerWith(partOf), cut: "inside" };
  } catch {
    // An answer that cannot be written is not sent in part either.
    return droppedAnswer;
  }
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

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

export function receivedHeaders(request: ReceivedRequest): HeaderMap<ReceivedRequest> {
  return new HeaderMap(request, distinctHeaders, lacksHeader);
}

/** Throws INVALID_ARGUMENT for an invalid deadline. */
export function incomingCall(request: ReceivedRequest): ServerCall {
  return new ServerCall(deadlineOf(request.headers[deadlineHeader]), receivedHeaders(request), request.socket);
}

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

export function noContent(headers: AnswerHeaders = {}): WholeAnswer {
  return { status: 204, headers, body: undefined, cut: undefined };
}

/** How documents are read. */
export const readMethods = ["GET", "HEAD"] as const;

/**
 * The answer to a method that a path has no answer of its own for: to OPTIONS which ones it has (RFC 9110, section 9.3.7). Throws 405 for others
 * (section 15.5.6). @param methods those with an answer
 */
export function otherMethodAnswer(
  path: string,
  method: string,
  methods: readonly string[],
  headers: AnswerHeaders = {},
): WholeAnswer {
  const allow = [...new Set([...methods, "OPTIONS"])].toSorted().join(", ");
  if (method === "OPTIONS") return noContent({ ...headers, allow });
  throw new HttpError(405, new CallError("UNIMPLEMENTED", `${path} does not answer ${method}, but ${allow}`), {
    allow,
  });
}

/** The metadata of the answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
export function metadataHeaders(call: ServerCall): AnswerHeaders | undefined {
  const metadata = call.metadataToSend();
  return metadata === undefined ? undefined : Object.fromEntries(metadata);
}

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
  /** Identifies the connection, whose calls share a limit of memory. */
  readonly socket: object;
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

// Judges the Accept header, before the call runs.

export function notAcceptable(accept: string, offered: string): HttpError {
  return new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is ${offered}, not ${accept}`));
}

/** The caller's preferred media type; undefined if it accepts none. Ignores a UTF-8 charset, which JSON does not define (RFC 8259, section 11). */
export function preferredType<T extends string>(accept: string, types: readonly T[]): T | undefined {
  // An empty header means no header.
  if (accept === "") return types[0];
  const offered = types.flatMap((type) => [type, `${type};charset=utf-8`]);
  const [found] = new Negotiator({ headers: { accept } }).mediaTypes(offered);
  return types.find((type) => found === type || found === `${type};charset=utf-8`);
}

/** Throws 406 if the caller does not accept JSON. */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === jsonMediaType) return;
  if (preferredType(accept, [jsonMediaType]) === undefined) throw notAcceptable(accept, jsonMediaType);
}

// Checks and parses JSON request bodies: valid UTF-8, valid JSON, and declared as such.

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

function textIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "the body is no JSON in UTF-8", {}, { cause });
  }
}

/** A request with more in it than a server reads: RESOURCE_EXHAUSTED, or the more precise 413 in HTTP. */
export function tooLarge(description: string): HttpError {
  return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", description));
}

/** Throws an error for JSON that would take too long to read: 413, or INVALID_ARGUMENT for JSON that nests too deep, as for shorter JSON. */
export function checkJson(bytes: Uint8Array, weights?: JsonWeights): void {
  const excess = jsonExcess(bytes, weights);
  if (excess !== undefined) throw excess.code === "RESOURCE_EXHAUSTED" ? new HttpError(413, excess) : excess;
}

/** Parses the JSON of a body or line. Throws INVALID_ARGUMENT for invalid JSON or UTF-8, and 413 beyond the limits. */
export function parsedJson(bytes: Uint8Array, parse: (text: string) => JsonValue, weights?: JsonWeights): JsonValue {
  checkJson(bytes, weights);
  const text = textIn(bytes);
  try {
    return parse(text);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the body is not JSON: ${(cause as Error).message}`, {}, { cause });
  }
}

/** 415 with the received and expected media types, and headers for programs (RFC 9110, section 15.5.16). */
export function unsupported(what: string, wanted: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, new CallError("INVALID_ARGUMENT", `${what}; send ${wanted}`), headers);
}

/** Throws 415 for a charset other than UTF-8. @param wanted the expected media type. */
export function checkCharset(contentType: string, wanted: string): void {
  const name = charset.exec(contentType)?.[1];
  if (name === undefined || /^(?:utf-?8|us-ascii)$/i.test(name)) return;
  throw unsupported(`the body is in ${name}`, `${wanted} in UTF-8`, { accept: wanted });
}

/** Throws 415 for a body that is not declared as JSON in UTF-8. */
export function checkJsonType(contentType: string | undefined): void {
  if (contentType === jsonMediaType) return;
  if (contentType === undefined || !jsonType.test(contentType)) {
    const headers = { accept: jsonMediaType };
    throw unsupported(`the body is ${contentType ?? "of no stated type"}`, jsonMediaType, headers);
  }
  checkCharset(contentType, jsonMediaType);
}
