// A call as its handler sees it.
import type { Metadata } from "./metadata.ts";

/** What a handler may know about the call that it answers. */
export interface CallContext {
  /** Aborted when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  /** The request's metadata (gRPC) or headers (HTTP). The calls of one request, as a GraphQL document has them, share the object. */
  readonly metadata: Metadata;
  /** Sent with the answer or the error; with a stream, what is in it by the first message. Reserved names make the call fail. */
  readonly answerMetadata: Map<string, string>;
}
