// A service as a style answers for it over HTTP, without a server library: requests come as values, and answers leave as values.
import type { IncomingHttpHeaders } from "node:http";
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";

/** A request without its body. What Node.js receives is one as it stands, so that no call costs a copy. */
export interface ReceivedRequest {
  /** In capitals. */
  readonly method: string;
  /** What the request line asks for, as received. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The same, with each value of a header that came several times. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** One request on its way to its answer. None of its methods throws or rejects. */
export interface ServedExchange {
  /** How the answer takes the request's body: not at all, by `answer` as a whole, or by `answerPieces` as it comes. */
  readonly takes: "nothing" | "body" | "pieces";
  /** Aborted when the answer has to end, whether or not its caller reads on. */
  readonly signal: AbortSignal;
  /** @param body decoded, in one piece; undefined for none or an empty one */
  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer>;
  /** @param pieces of the body as they come; an error that is no CallError means that the caller has gone */
  answerPieces(pieces: AsyncIterable<Uint8Array>): Promise<HttpAnswer>;
  /** The answer when the body cannot be read. */
  refuse(thrown: unknown): WholeAnswer | Promise<HttpAnswer>;
  /** The caller has gone before the answer was out. */
  cancel(): void;
}

export interface HttpService {
  begin(request: ReceivedRequest): ServedExchange;
}
