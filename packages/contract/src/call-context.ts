// A call as its handler sees it.
import type { Metadata } from "./metadata.ts";

/** What a handler may know about the call that it answers. */
export interface CallContext {
  /** Aborted when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  /** The request's metadata (gRPC) or headers (HTTP). */
  readonly metadata: Metadata;
  /** Sent with the answer or the error; with a stream, what is in it by the first message. Reserved names make the call fail. */
  readonly answerMetadata: Map<string, string>;
}
