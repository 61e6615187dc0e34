// What is known of the ratio of two arms, with its interval.
import { mean } from "d3-array";
import type { IntervalBasis } from "../statistics/simultaneous-intervals.ts";
import type { Interval } from "../statistics/two-level-bootstrap.ts";

/** A ratio of two arms from round-level paired log ratios. */
export interface Ratio {
  readonly ratio: number;
  /** Simultaneous 95 % interval over the family it belongs to; null below three rounds. */
  readonly low: number | null;
  readonly high: number | null;
  /** What the interval rests on: `student-t`, from three to five rounds, assumes normal noise; null where there is no interval. */
  readonly basis: IntervalBasis | null;
  /** Hodges–Lehmann pseudo-median of the same round-level ratios. */
  readonly hodgesLehmann: number;
  readonly rounds: number;
}

/** `numerator` takes `ratio` times the latency of `denominator`. */
export interface Comparison extends Ratio {
  /**
   * What differs between the two: the stack, the variant, stack against floor, the size of the payload (the larger is the numerator), or
   * one setting of the stack (its default, or else the level that comes first in the run, is the denominator).
   */
  readonly kind: "stack" | "variant" | "floor" | "size" | "setting";
  readonly numeratorId: string;
  readonly denominatorId: string;
  /** `different` when the interval excludes 1, `indistinguishable` when it lies within ±2 % from six rounds on, else `inconclusive`. */
  readonly verdict: "different" | "indistinguishable" | "inconclusive";
  /** The comparisons that the interval is simultaneous with: one kind in one study and task, what a reader sees as one table. */
  readonly family: string;
  readonly familySize: number;
}

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
