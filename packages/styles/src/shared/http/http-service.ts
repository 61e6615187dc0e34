// A service over HTTP without a server library. Requests and answers are values.
import type { IncomingHttpHeaders } from "node:http";
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";

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
