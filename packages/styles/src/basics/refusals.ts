// What a style knows of requests that are refused before they reach an operation: the error in the answer, and what the request was likely meant for.
import type { CallError, Contract } from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http";

/** A request and its answer, of which no operation knows. Bodies are cut after some kilobytes. */
export interface UnreachedRequest {
  /** In capitals. */
  readonly method: string;
  /** The target of the request line, as received. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
  /** Headers and trailers as far as HTTP/2 sends them; names in lower case. Empty over HTTP/1.1. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** What exists and is most like what a request asks for. */
export interface NearestOperation {
  /** The operation's id. */
  readonly operation: string;
  /** How the style addresses it: `GET /v1/customers/{id}`. */
  readonly address: string;
}

/** What `refusals.ts` of a style exports as `refusals`. */
export interface Refusals {
  /** The error in an answer; undefined for a success, such as that of a page. */
  readonly errorIn: (answer: Pick<UnreachedRequest, "status" | "answerHeaders" | "answer">) => CallError | undefined;
  /** Undefined if nothing is similar. A request that names an operation rightly, with a fault elsewhere, gets that one. */
  readonly nearest: (request: UnreachedRequest, contract: Contract) => NearestOperation | undefined;
}
