// Simultaneous 95 % intervals of the mean log ratios of one table, from three rounds on.
import { maxTIntervals } from "./max-t.ts";
import type { Random } from "./random.ts";
import { type Interval, minimumRounds, tInterval } from "./student-t.ts";

/** Two rounds leave one degree of freedom: the interval of a family of three would extend 38 standard errors to either side. */
export const fewestRounds = 3;

const errorRate = 0.05;

/** `max-t` from {@link minimumRounds} rounds on; with fewer `student-t`, which assumes independent rounds with normal noise. */
export type IntervalBasis = "max-t" | "student-t";

export interface BasedInterval extends Interval {
  readonly basis: IntervalBasis;
}

/**
 * Returns intervals for the means of several series. Rows have equal length, one column per round, NaN where a round is missing. A series of fewer
 * than {@link fewestRounds} rounds gets null and does not count. From three to five rounds an interval is Student's t at 1 − 0.05 / family. This
 * Bonferroni correction is valid under any dependence; so few rounds allow no estimate of correlations or of the family's usual scatter. In a mixed
 * family the longer series share the rest of the error rate.
 * @param totalDraws trades precision of the critical value of max-T for time
 */
export function simultaneousIntervals(
  family: readonly (readonly number[])[],
  random: Random,
  totalDraws?: number,
): readonly (BasedInterval | null)[] {
  const rounds = family.map((values) => values.filter(Number.isFinite));
  const size = rounds.filter(({ length }) => length >= fewestRounds).length;
  const long = rounds.filter(({ length }) => length >= minimumRounds).length;
  const ofLong = maxTIntervals(family, random, { totalDraws, errorRate: (errorRate * long) / size });
  return rounds.map((values, index) => {
    const interval = ofLong[index];
    if (interval) return { ...interval, basis: "max-t" };
    const short = tInterval(values, 1 - errorRate / size, fewestRounds);
    return short && { ...short, basis: "student-t" };
  });
}
