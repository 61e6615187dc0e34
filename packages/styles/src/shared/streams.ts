// Streaming operations: the feature that each kind needs, and the text for stacks without it.
import type { Operation, OperationKind } from "@roundtrip/contract";
import type { Limitation } from "../basics/style.ts";

interface StreamWords {
  readonly feature: Limitation["feature"];
  /** What the stack cannot carry. The reason is in the limitation. */
  readonly lost: string;
}

/** By kind; unary operations have no entry. */
export const streamWords = {
  unary: undefined,
  server_streaming: { feature: "serverStream", lost: "the stream of responses" },
  client_streaming: { feature: "clientStream", lost: "the stream of requests" },
  bidi_streaming: { feature: "bidiStream", lost: "the streams of requests and responses" },
} as const satisfies Record<OperationKind, StreamWords | undefined>;

/** The parts of an operation that a stack without streams cannot carry; empty for unary operations. */
export function lostStreams({ kind }: Operation): readonly string[] {
  return streamWords[kind] === undefined ? [] : [streamWords[kind].lost];
}

/** What stands before the types of an operation in its signature. */
export const streamPrefixes = {
  unary: { input: "", output: "" },
  server_streaming: { input: "", output: "stream " },
  client_streaming: { input: "stream ", output: "" },
  bidi_streaming: { input: "stream ", output: "stream " },
} as const satisfies Record<OperationKind, { input: string; output: string }>;
