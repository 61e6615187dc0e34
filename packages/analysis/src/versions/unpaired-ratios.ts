// Ratios of two runs with unpaired rounds, with intervals that are simultaneous over all arms.
import { mean, variance } from "d3-array";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { minimumRounds, twoSidedT, type Interval } from "../statistics/student-t.ts";

/** Logarithms of one metric of one arm, one per round of a run; NaN where a round has none. */
export interface UnpairedRounds {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** All as logarithms of head over base. */
export interface UnpairedRatio {
  readonly centre: number;
  /** The median of all differences of a head round and a base round (Hodges and Lehmann 1963). */
  readonly pseudoMedian: number;
  /** Null below {@link minimumRounds} rounds in either run. */
  readonly interval: Interval | null;
  readonly rounds: { readonly base: number; readonly head: number };
}

function isEnough({ base, head }: UnpairedRounds): boolean {
  return Math.min(base.length, head.length) >= minimumRounds;
}

/**
 * Half of an interval by Welch's t, whose degrees of freedom are rounded down: B. L. Welch, "The Generalization of 'Student's' Problem when Several
 * Different Population Variances are Involved", Biometrika 34 (1947).
 */
function welchReach({ base, head }: UnpairedRounds, confidence: number): number {
  const [ofBase, ofHead] = [base, head].map((values) => (variance(values) as number) / values.length) as [
    number,
    number,
  ];
  const squared = ofBase + ofHead;
  if (squared === 0) return 0;
  const degrees = squared ** 2 / (ofBase ** 2 / (base.length - 1) + ofHead ** 2 / (head.length - 1));
  return twoSidedT(confidence, Math.floor(degrees)) * Math.sqrt(squared);
}

/**
 * Returns one ratio per row, with intervals that contain all true ratios together in 95 of 100 comparisons: Bonferroni's correction, which holds under
 * any dependence of the rows. Differences between two jobs as a whole are outside these intervals.
 */
export function unpairedRatios(rows: readonly UnpairedRounds[]): readonly UnpairedRatio[] {
  const known = rows.map(({ base, head }): UnpairedRounds => ({
    base: base.filter(Number.isFinite),
    head: head.filter(Number.isFinite),
  }));
  const confidence = 1 - 0.05 / Math.max(1, known.filter(isEnough).length);
  return known.map((row): UnpairedRatio => {
    const { base, head } = row;
    const centre = (mean(head) ?? Number.NaN) - (mean(base) ?? Number.NaN);
    const differences = head.flatMap((ofHead) => base.map((ofBase) => ofHead - ofBase));
    const reach = isEnough(row) ? welchReach(row, confidence) : null;
    return {
      centre,
      pseudoMedian: differences.length === 0 ? Number.NaN : quantile(sortedCopy(differences), 0.5),
      interval: reach === null ? null : { low: centre - reach, high: centre + reach },
      rounds: { base: base.length, head: head.length },
    };
  });
}
