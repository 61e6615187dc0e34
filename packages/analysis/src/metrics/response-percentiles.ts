// Percentiles of response times under a load, where enough calls support them.
import { sortedLatencies } from "./block-values.ts";
import { quantile } from "../statistics/describe-samples.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";

/** `left-out`: tasks were not started. `late`: some started too late. `busy`: the client had no time for answers. */
export type VoidCode = "left-out" | "late" | "busy";

export interface VoidCell {
  readonly armId: string;
  readonly codes: readonly VoidCode[];
  /** As text, at least one per code. */
  readonly reasons: readonly string[];
}

/** Percentiles that may be withheld while the mean and the median are reported. */
export type TailPercentile = "p90" | "p95" | "p99" | "p99.9";

export interface WithheldPercentiles {
  readonly armId: string;
  /** Ascending, at least one. */
  readonly percentiles: readonly TailPercentile[];
}

/** From the intended start, over all rounds, in milliseconds; null where fewer than five calls took longer, or too many of those started late. */
export interface MeasuredPercentiles {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

/** With fewer calls beyond it, a percentile depends on single calls. */
const fewestBeyond = 5;

/** Whether enough calls are beyond a percentile to report it. */
export function isReportable(calls: number, fraction: number): boolean {
  // Rounded, because 1 − 0.999 is slightly above a thousandth.
  return Math.round(calls * (1 - fraction) * 1e6) / 1e6 >= fewestBeyond;
}

export const noPercentiles: MeasuredPercentiles = { p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null };

/** @param withheld percentiles that the generator dominates */
export function responsePercentiles(
  { blocks }: Pick<ArmTasks, "blocks">,
  withheld: readonly TailPercentile[],
): MeasuredPercentiles {
  const sorted = sortedLatencies(blocks);
  const percentile = (share: number): number | null =>
    isReportable(sorted.length, share) ? quantile(sorted, share) : null;
  const tail = (name: TailPercentile, share: number): number | null =>
    withheld.includes(name) ? null : percentile(share);
  return { p50Ms: percentile(0.5), p90Ms: tail("p90", 0.9), p99Ms: tail("p99", 0.99), p999Ms: tail("p99.9", 0.999) };
}
