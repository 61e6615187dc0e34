// The errors of calls that need a feature which the stack declares as not supported.
import { CallError, type InvokeStream, type Invoke, type Operation } from "@roundtrip/contract";
import type { Limitation } from "../basics/style.ts";
import { streamWords } from "./streams.ts";

/** UNIMPLEMENTED with the limitation's reason. */
export function unsupportedFeature(limitations: readonly Limitation[], feature: Limitation["feature"]): CallError {
  const reason = limitations.find((limitation) => limitation.feature === feature)?.reason;
  return new CallError("UNIMPLEMENTED", reason ?? `there is no ${feature} here`);
}

/** A call of a streaming operation, which always fails with the limitation's reason; undefined if the operation does not stream. */
export function refusedStream({ kind }: Operation, limitations: readonly Limitation[]): Invoke | undefined {
  const stream = streamWords[kind];
  if (stream === undefined) return undefined;
  return () => Promise.reject(unsupportedFeature(limitations, stream.feature));
}

/** A stream on a stack without streams: reading the answers fails with the limitation's reason. */
export function noStreams({ kind }: Operation, limitations: readonly Limitation[]): InvokeStream {
  const { feature } = streamWords[kind] ?? { feature: "serverStream" };
  return () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(unsupportedFeature(limitations, feature)) }),
  });
}
