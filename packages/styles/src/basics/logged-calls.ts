// The type of a style's reader of logged requests: which operations somebody called, by the access log of a server or by a recording of a browser.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";

/** An HTTP request as a log has it. */
export interface LoggedRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  /** Of the body, in lower case without parameters; empty if the log does not have it. */
  readonly mediaType: string;
  /** Undefined if the log does not have it. */
  readonly body: Uint8Array | undefined;
}

export interface LoggedCall {
  readonly operation: Operation;
  /** What the log has of it; undefined for nothing. */
  readonly request: Message | undefined;
  /** Whether the log has all of the request. */
  readonly isWhole: boolean;
}

/**
 * Resolves to the calls of a request: none if its path belongs to no operation of the style. Rejects with a CallError for a request to the style that
 * cannot be read.
 */
export type ReadLoggedRequest = (request: LoggedRequest) => Promise<readonly LoggedCall[]>;

/** What `logged-calls.ts` of a style exports as `loggedCalls`. */
export type LoggedCalls = (contract: Contract) => ReadLoggedRequest;
