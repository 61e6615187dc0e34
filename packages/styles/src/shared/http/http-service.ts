// A service over HTTP without a server library: requests and answers are values.
import type { IncomingHttpHeaders } from "node:http";
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";

/** A request without its body. A request of Node.js has this type, so no call costs a copy. */
export interface ReceivedRequest {
  /** In capitals. */
  readonly method: string;
  /** The target in the request line, as received. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The same, with each value of a repeated header. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** One request until its answer. None of its methods throws or rejects. */
export interface ServedExchange {
  /** How the request's body is read: not at all, as a whole by `answer`, or in pieces by `answerPieces`. */
  readonly takes: "nothing" | "body" | "pieces";
  /** Aborted when the answer must end, even if the caller does not read. */
  readonly signal: AbortSignal;
  /** @param body decoded, in one piece; undefined for none or an empty one */
  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer>;
  /** @param pieces of the body as they arrive; an error other than a CallError means that the caller has disconnected */
  answerPieces(pieces: AsyncIterable<Uint8Array>): Promise<HttpAnswer>;
  /** The answer if the body cannot be read. */
  refuse(thrown: unknown): WholeAnswer | Promise<HttpAnswer>;
  /** Called when the caller disconnects before the answer is sent. */
  cancel(): void;
}

export interface HttpService {
  begin(request: ReceivedRequest): ServedExchange;
}
