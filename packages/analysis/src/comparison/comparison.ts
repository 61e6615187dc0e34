// The ratio of two arms, with its interval.
import { mean } from "d3-array";
import type { IntervalBasis } from "../statistics/simultaneous-intervals.ts";
import type { Interval } from "../statistics/student-t.ts";

export interface Ratio {
  readonly ratio: number;
  /** Simultaneous 95 % interval over its family; null below three rounds. */
  readonly low: number | null;
  readonly high: number | null;
  /** `student-t`, from three to five rounds, assumes normal noise; null without an interval. */
  readonly basis: IntervalBasis | null;
  /** Hodges–Lehmann pseudo-median of the same round-level ratios. */
  readonly hodgesLehmann: number;
  readonly rounds: number;
}

/** `numerator` takes `ratio` times the latency of `denominator`. */
export interface Comparison extends Ratio {
  /**
   * What differs: the stack, the variant, stack against floor or against the same calls in process, or one setting of the stack, whose default (or else its first level) is the
   * denominator. `bound`: the style, where both servers are on the modules of Node.js alone.
   */
  readonly kind: "stack" | "variant" | "floor" | "in-process" | "setting" | "bound";
  readonly numeratorId: string;
  readonly denominatorId: string;
  /** `different` when the interval excludes 1, `indistinguishable` when it lies within ±2 % from six rounds on, otherwise `inconclusive`. */
  readonly verdict: "different" | "indistinguishable" | "inconclusive";
  /** The comparisons with which the interval is simultaneous: one kind in one study and task; of stacks, those that lead the task, or all others. */
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
