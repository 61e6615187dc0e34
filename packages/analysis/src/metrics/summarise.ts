// A metric of an arm as one row of the results: its description and the intervals that its rounds allow.
import { describeSamples } from "../statistics/describe-samples.ts";
import type { Metric, Summary } from "./summary.ts";
import { medianInterval } from "../statistics/median-interval.ts";
import type { Bootstrap, ValuesByRound } from "../statistics/two-level-bootstrap.ts";

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
