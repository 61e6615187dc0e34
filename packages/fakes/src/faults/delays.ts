// Quantiles of delays: a number from 0 to 1 becomes milliseconds of the distribution in a plan.
import type { Delay } from "./fault-plan.ts";
import { normalQuantile } from "./normal-quantile.ts";

/** The maximum delay, even if a distribution gives more: one hour. */
export const longestDelayMs = 3_600_000;

/** The smallest draw above 0: distributions without bounds have no value at 0. */
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
 * The delay in milliseconds that this share of all delays is shorter than, at most {@link longestDelayMs}.
 * @param probability from 0 up to, but not including, 1
 */
export function delayMs(delay: Delay, probability: number): number {
  return Math.min(quantileOf(delay, probability), longestDelayMs);
}
