// The figures of each operation of a mix.
import { mean } from "d3-array";
import type { OperationCalls } from "./gathered-calls.ts";
import { describeSamples } from "../statistics/describe-samples.ts";
import { merged } from "./block-values.ts";
import { medianInterval } from "./summarise.ts";
import { isReportable, type TailPercentile } from "./lateness.ts";

export interface OperationFigures {
  readonly armId: string;
  readonly operation: string;
  /** Its share of the calls of the mix, 0 to 1. */
  readonly share: number;
  readonly calls: number;
  readonly failedCalls: number;
  /** From the intended start; null without an answered call, and where the generator did not keep the load. */
  readonly latency: OperationLatency | null;
}

/** In milliseconds. A percentile is null where too few calls are beyond it, or where late starts dominate it. */
export interface OperationLatency {
  readonly meanMs: number;
  readonly p50Ms: number;
  /** The 95 % interval of the median; null with too few rounds. */
  readonly p50LowMs: number | null;
  readonly p50HighMs: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number;
}

function latencyOf({ rounds }: OperationCalls, withheld: readonly TailPercentile[]): OperationLatency | null {
  const values = rounds.map(({ sorted }) => sorted).filter(({ length }) => length > 0);
  const sorted = merged(values);
  if (sorted.length === 0) return null;
  const { p50, p90, p99, max } = describeSamples(sorted);
  const interval = medianInterval(sorted, values);
  const tail = (name: TailPercentile, share: number, value: number): number | null =>
    withheld.includes(name) || !isReportable(sorted.length, share) ? null : value;
  return {
    meanMs: mean(sorted) as number,
    p50Ms: p50,
    p50LowMs: interval?.low ?? null,
    p50HighMs: interval?.high ?? null,
    p90Ms: tail("p90", 0.9, p90),
    p99Ms: tail("p99", 0.99, p99),
    maxMs: max,
  };
}

/** @param withheld the percentiles that are not reported; undefined for an arm without a latency. */
export function operationFigures(
  armId: string,
  operations: readonly OperationCalls[],
  withheld: readonly TailPercentile[] | undefined,
): readonly OperationFigures[] {
  const all = operations.reduce((sum, { calls }) => sum + calls, 0);
  return operations.map((one) => ({
    armId,
    operation: one.operation,
    share: all === 0 ? 0 : one.calls / all,
    calls: one.calls,
    failedCalls: one.failedCalls,
    latency: withheld === undefined ? null : latencyOf(one, withheld),
  }));
}
