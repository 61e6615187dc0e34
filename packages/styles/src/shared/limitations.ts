// What styles cannot carry, and the error for it.
import type { DescMessage } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  type Invoke,
  type InvokeStream,
  type Operation,
  type OperationKind,
  sharesJsonName,
  containsType,
  memoize,
  typesIn,
} from "@roundtrip/contract";
import type { Limitation } from "../basics/style.ts";

// Streaming operations: the feature that each kind needs, and the text for stacks without it.

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

export function unsupportedFeature(limitations: readonly Limitation[], feature: Limitation["feature"]): CallError {
  const reason = limitations.find((limitation) => limitation.feature === feature)?.reason;
  return new CallError("UNIMPLEMENTED", reason ?? `there is no ${feature} here`);
}

/** A call that always fails with the limitation's reason; undefined if the operation does not stream. */
export function refusedStream({ kind }: Operation, limitations: readonly Limitation[]): Invoke | undefined {
  const stream = streamWords[kind];
  if (stream === undefined) return undefined;
  return () => Promise.reject(unsupportedFeature(limitations, stream.feature));
}

/** A stream that fails with the limitation's reason on reading. */
export function noStreams({ kind }: Operation, limitations: readonly Limitation[]): InvokeStream {
  const { feature } = streamWords[kind] ?? { feature: "serverStream" };
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(unsupportedFeature(limitations, feature)) }),
  });
}

/** For clients of a style that has one call in an exchange. */
export function noTogether(limitations: readonly Limitation[]): Client["prepareTogether"] {
  return () => {
    throw unsupportedFeature(limitations, "together");
  };
}

// Fields without their usual JSON name, because another field of the message has it.

const sharing = memoize(({ fields }: DescMessage) => fields.filter(sharesJsonName));

const containsSharing = containsType((message) => sharing(message).length > 0);

/** Fields of request and answer with an unusual JSON name, with the reason. */
export function lostNames({ input, output }: Operation): readonly string[] {
  return [...typesIn([input, output].filter(containsSharing))].flatMap((message) =>
    sharing(message).map(
      ({ name }) => `${message.name}.${name}: its name in JSON, which another field has too; it is "${name}" there`,
    ),
  );
}
