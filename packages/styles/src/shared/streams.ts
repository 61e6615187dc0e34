// Operations that stream, in words: which feature of a stack carries each kind, and what of it is lost where a stack lacks that feature.
import type { Operation, OperationKind } from "@roundtrip/contract";
import type { Limitation } from "../style.ts";

interface StreamWords {
  readonly feature: Limitation["feature"];
  /** What of such an operation is lost; why, the limitation says. */
  readonly lost: string;
}

/** By kind; nothing for an operation that does not stream. */
export const streamWords = {
  unary: undefined,
  server_streaming: { feature: "serverStream", lost: "the stream of responses" },
  client_streaming: { feature: "clientStream", lost: "the stream of requests" },
  bidi_streaming: { feature: "bidiStream", lost: "the streams of requests and responses" },
} as const satisfies Record<OperationKind, StreamWords | undefined>;

/** What of an operation is lost on a stack without streams; nothing when it does not stream. */
export function lostStreams({ kind }: Operation): readonly string[] {
  return streamWords[kind] === undefined ? [] : [streamWords[kind].lost];
}
