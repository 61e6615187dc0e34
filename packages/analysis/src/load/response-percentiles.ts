// The tail of response times under a load, as far as there are calls enough to tell it.
import { sortedLatencies } from "../metrics/block-values.ts";
import { quantile } from "../statistics/describe-samples.ts";
import type { ArmTasks } from "../tasks-of.ts";

/** From the intended start, over all rounds, in milliseconds; null where fewer than five calls took longer. */
export interface ResponsePercentiles {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

/** With fewer beyond it, a percentile is the place of single calls. */
const fewestBeyond = 5;

export const noPercentiles: ResponsePercentiles = { p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null };

export function responsePercentiles({ blocks }: Pick<ArmTasks, "blocks">): ResponsePercentiles {
  const sorted = sortedLatencies(blocks);
  // Rounded, because 1 − 0.999 is a little more than a thousandth.
  const told = (share: number): number | null =>
    Math.round(sorted.length * (1 - share) * 1e6) / 1e6 < fewestBeyond ? null : quantile(sorted, share);
  return { p50Ms: told(0.5), p90Ms: told(0.9), p99Ms: told(0.99), p999Ms: told(0.999) };
}
