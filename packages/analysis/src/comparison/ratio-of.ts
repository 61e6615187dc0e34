// What rounds say of a ratio, from the logarithms that they measured it in.
import { mean } from "d3-array";
import type { Ratio } from "./comparison.ts";
import type { Interval } from "../statistics/two-level-bootstrap.ts";

/** @param logRatios one per round, not finite where a round has no value. @param interval of their mean; null or undefined with too few rounds. */
export function ratioOf(
  logRatios: readonly number[],
  interval: Interval | null | undefined,
): Omit<Ratio, "hodgesLehmann" | "basis"> {
  const rounds = logRatios.filter(Number.isFinite);
  return {
    ratio: Math.exp(mean(rounds) as number),
    low: interval ? Math.exp(interval.low) : null,
    high: interval ? Math.exp(interval.high) : null,
    rounds: rounds.length,
  };
}
