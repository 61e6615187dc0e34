// Streaming operations: the feature that each kind needs, and the text for a stack that does not support it.
import type { Operation, OperationKind } from "@roundtrip/contract";
import type { Limitation } from "../basics/style.ts";

interface StreamWords {
  readonly feature: Limitation["feature"];
  /** What the stack cannot carry; the limitation has the reason. */
  readonly lost: string;
}

/** By kind; unary operations have no entry. */
export const streamWords = {
  unary: undefined,
  server_streaming: { feature: "serverStream", lost: "the stream of responses" },
  client_streaming: { feature: "clientStream", lost: "the stream of requests" },
  bidi_streaming: { feature: "bidiStream", lost: "the streams of requests and responses" },
} as const satisfies Record<OperationKind, StreamWords | undefined>;

/** What a stack without streams cannot carry of an operation; empty for unary operations. */
export function lostStreams({ kind }: Operation): readonly string[] {
  return streamWords[kind] === undefined ? [] : [streamWords[kind].lost];
}
