// Simultaneous 95 % intervals of the mean log ratios of one table, from three rounds on.
import { maxTIntervals } from "./max-t.ts";
import type { Random } from "./random.ts";
import { tInterval } from "./student-t.ts";
import { minimumRounds, type Interval } from "./two-level-bootstrap.ts";

/** Two rounds leave one degree of freedom: the interval of a family of three reaches 38 standard errors to either side. */
export const fewestRounds = 3;

const errorRate = 0.05;

/** `max-t` from {@link minimumRounds} rounds on; below, `student-t`, which assumes that rounds scatter normally and know nothing of each other. */
export type IntervalBasis = "max-t" | "student-t";

export interface BasedInterval extends Interval {
  readonly basis: IntervalBasis;
}

/**
 * Intervals for the means of several series of round-level values (rows of equal length, one column per round, NaN where a round is missing). A series of
 * fewer than {@link fewestRounds} rounds gets null and does not count.
 *
 * From three to five rounds an interval is Student's t at 1 − 0.05 / family, Bonferroni's correction, which holds whatever depends on whatever: from so few
 * rounds neither correlations nor the usual scatter of a family can be estimated. In a mixed family the longer series share what is left of the error rate.
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
