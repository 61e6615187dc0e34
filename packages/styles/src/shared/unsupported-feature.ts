// Errors of calls that need an unsupported feature.
import { CallError, type InvokeStream, type Invoke, type Operation } from "@roundtrip/contract";
import type { Limitation } from "../basics/style.ts";
import { streamWords } from "./streams.ts";

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
