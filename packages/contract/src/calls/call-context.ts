// A call as its handler sees it.
import type { Metadata } from "./metadata.ts";

/** What a handler can read about the call that it answers. */
export interface CallContext {
  /** Aborted when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  /** The request's metadata (gRPC) or headers (HTTP). The calls of one GraphQL document share the object. */
  readonly metadata: Metadata;
  /** Sent with the answer or the error. For a stream, only entries set before the first message are sent. Reserved names fail the call. */
  readonly answerMetadata: Map<string, string>;
}
