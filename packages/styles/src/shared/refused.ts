// What a stack declares that it cannot do, as the errors of who asks for it.
import { CallError, type InvokeStream, type Invoke, type Operation } from "@roundtrip/contract";
import type { Limitation } from "../style.ts";
import { streamWords } from "./streams.ts";

/** The error of asking for what a stack declares that it cannot do. */
export function cannot(limitations: readonly Limitation[], feature: Limitation["feature"]): CallError {
  const reason = limitations.find((limitation) => limitation.feature === feature)?.reason;
  return new CallError("UNIMPLEMENTED", reason ?? `there is no ${feature} here`);
}

/** An operation that streams, as a call that always fails with the limitation's reason; undefined when it does not stream. */
export function refusedStream({ kind }: Operation, limitations: readonly Limitation[]): Invoke | undefined {
  const stream = streamWords[kind];
  if (stream === undefined) return undefined;
  return () => Promise.reject(cannot(limitations, stream.feature));
}

/** Streams of a stack that carries none: reading the answers fails with the limitation's reason. */
export function noStreams({ kind }: Operation, limitations: readonly Limitation[]): InvokeStream {
  const { feature } = streamWords[kind] ?? { feature: "serverStream" };
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cannot(limitations, feature)) }),
  });
}
