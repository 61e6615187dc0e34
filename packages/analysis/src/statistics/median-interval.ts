// The interval of a median over all calls of an arm, from how its share of faster calls scatters from round to round.
import { variance } from "d3-array";
import { countAtOrBelow, countBelow, quantile } from "./describe-samples.ts";
import { twoSidedT } from "./student-t.ts";
import { minimumRounds, type Interval } from "./two-level-bootstrap.ts";

/** How far a round's values lie below `limit` rather than above it: half their number when all are below, 0 when they are in balance. */
function surplusBelow(round: Float64Array, limit: number): number {
  return (countBelow(round, limit) + countAtOrBelow(round, limit) - round.length) / 2;
}

/**
 * The 95 % interval of the median of `sorted`, which holds the values of all `rounds` (each ascending, none empty); null below
 * {@link minimumRounds} rounds. In each round half of the values should lie below the median; how much that share scatters from round
 * to round is the standard error of a share, and the quantiles at ½ ± t · error are the interval: Woodruff, "Confidence Intervals for
 * Medians and Other Position Measures", Journal of the American Statistical Association 47 (1952), with rounds as clusters. Values
 * that are equal to the median count half.
 *
 * Rounds that hardly overlap would ask for quantiles beyond all values; the interval never leaves the range of the rounds' own medians.
 */
export function medianInterval(sorted: Float64Array, rounds: readonly Float64Array[]): Interval | null {
  if (rounds.length < minimumRounds) return null;
  const median = quantile(sorted, 0.5);
  // A round with more values than the others moves the median further.
  const shares = rounds.map((round) => (surplusBelow(round, median) * rounds.length) / sorted.length);
  const error = Math.sqrt((variance(shares) as number) / rounds.length);
  const reach = Math.min(0.5, twoSidedT(0.95, rounds.length - 1) * error);
  const medians = rounds.map((round) => quantile(round, 0.5));
  return {
    low: Math.min(median, Math.max(quantile(sorted, 0.5 - reach), Math.min(...medians))),
    high: Math.max(median, Math.min(quantile(sorted, 0.5 + reach), Math.max(...medians))),
  };
}
