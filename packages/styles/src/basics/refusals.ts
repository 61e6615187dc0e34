// What a style knows of requests that are refused before they reach an operation: the error in the answer, and what the request was likely meant for.
import type { CallError, Contract } from "@roundtrip/contract";

/** What exists and is most like what a request asks for. */
export interface NearestOperation {
  /** The operation's id. */
  readonly operation: string;
  /** How the style addresses it: `GET /v1/customers/{id}`. */
  readonly address: string;
}

/** What `refusals.ts` of a style exports as `refusals`. */
export interface Refusals {
  /** The error in an answer with a status of at least 400. */
  readonly errorIn: (answer: { readonly status: number; readonly body: string }) => CallError;
  /** Undefined if nothing is similar. A request that names an operation rightly, with a fault elsewhere, gets that one. */
  readonly nearest: (
    request: { readonly method: string; readonly url: string },
    contract: Contract,
  ) => NearestOperation | undefined;
}
