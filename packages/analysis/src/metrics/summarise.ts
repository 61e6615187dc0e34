// A metric of an arm as one row of the results: its description and the intervals that its rounds allow.
import { variance } from "d3-array";
import { countAtOrBelow, countBelow, describeSamples, quantile } from "../statistics/describe-samples.ts";
import { twoSidedT } from "../statistics/student-t.ts";
import { minimumRounds, type Bootstrap, type Interval, type ValuesByRound } from "../statistics/two-level-bootstrap.ts";
import type { Metric, Summary } from "./summary.ts";

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

/** All values of one metric of one arm. */
export interface MetricValues {
  readonly armId: string;
  readonly metric: Metric;
  /** All values, ascending. */
  readonly sorted: Float64Array;
  /** Block means by round: what the interval of the mean rests on. */
  readonly means: ValuesByRound;
  /** The values of each round that has any, ascending: what the interval of the median rests on. */
  readonly rounds: readonly Float64Array[];
}

/** Summarises one metric of one arm. Throws `no-samples` when there is no value. */
export function summarise(measured: MetricValues, bootstrap: Bootstrap): Summary {
  const { armId, metric, sorted, means, rounds } = measured;
  const description = describeSamples(sorted);
  const ofMean = bootstrap.interval(means, description.mean);
  const ofMedian = medianInterval(sorted, rounds);
  return {
    armId,
    metric,
    ...description,
    meanLow: ofMean?.low ?? null,
    meanHigh: ofMean?.high ?? null,
    p50Low: ofMedian?.low ?? null,
    p50High: ofMedian?.high ?? null,
  };
}
