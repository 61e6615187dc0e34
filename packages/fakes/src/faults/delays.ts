// How long something takes, as a quantile: a number from 0 up to 1 becomes milliseconds of the distribution that a plan asks for.
import type { Delay } from "./fault-plan.ts";
import { normalQuantile } from "./normal-quantile.ts";

/** Nothing takes longer, whatever its distribution would give in a rare case: an hour. */
export const longestDelayMs = 3_600_000;

/** The smallest number above 0 that a draw gives: distributions without bounds have no value at 0 itself. */
const least = 2 ** -49;

const normalP99 = normalQuantile(0.99);

function quantileOf(delay: Delay, probability: number): number {
  switch (delay.kind) {
    case "constant":
      return delay.ms;
    case "uniform":
      return delay.fromMs + probability * (delay.toMs - delay.fromMs);
    case "exponential":
      return -delay.meanMs * Math.log1p(-probability);
    case "lognormal": {
      const { medianMs, p99Ms } = delay;
      const spread = Math.log(p99Ms / medianMs) / normalP99;
      return medianMs * Math.exp(spread * normalQuantile(Math.max(probability, least)));
    }
    case "measured":
      return delay.valuesMs[Math.floor(probability * delay.valuesMs.length)] ?? 0;
  }
}

/**
 * The delay that this share of all delays is shorter than, in milliseconds, at most {@link longestDelayMs}.
 * @param probability from 0 up to, and without, 1
 */
export function delayMs(delay: Delay, probability: number): number {
  return Math.min(quantileOf(delay, probability), longestDelayMs);
}
