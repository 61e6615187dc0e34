// The results of a run by row: an arm, a metric, its distribution in figures and its intervals. Beside them, the failed calls of an arm by outcome,
// and the arms without a latency or with withheld percentiles because of the generator.
import { bisectLeft, bisectRight, mean, variance } from "d3-array";
import type { ArmTasks } from "../calls/tasks-of.ts";
import { describeSamples, quantile, type Description } from "../statistics/describe-samples.ts";
import {
  meansOfRounds,
  minimumRounds,
  tInterval,
  twoSidedT,
  type Interval,
  type ValuesByRound,
} from "../statistics/student-t.ts";

export type Metric =
  | "latencyMs"
  | "firstCallMs"
  | "serverCpuMsPerTask"
  | "clientCpuMsPerTask"
  | "wireBytesPerTask"
  | "callsPerTask"
  | "connectionsOpened"
  | "connectionsPerCall"
  | "windowSegments"
  | "callsPerSecond"
  | "serverCpuShare"
  | "wireBytesPerSecond"
  | "firstByteMs"
  | "pausesPerStream"
  | "queueMs"
  | "serviceMs"
  | "transportMs"
  | "latenessMs"
  | "latencyFromStartMs"
  | "clientUtilisation"
  | "serverWarmBytes"
  | "clientWarmBytes"
  | "serverResidentBytes"
  | "clientResidentBytes"
  | "serverPeakBytes"
  | "clientPeakBytes"
  | "serverHeapBytes"
  | "clientHeapBytes"
  | "serverAllocatedBytesPerTask"
  | "clientAllocatedBytesPerTask";

/**
 * One arm's distribution of one metric. Intervals are 95 % at the level of rounds; null with too few rounds. A latency percentile above the quartiles
 * is null where the generator dominates it: see {@link WithheldPercentiles}.
 */
export interface Summary extends Omit<Description, "p90" | "p95" | "p99"> {
  readonly armId: string;
  readonly metric: Metric;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly meanLow: number | null;
  readonly meanHigh: number | null;
  /** Means of its rounds, in their order, without those that have no value. */
  readonly roundMeans: readonly number[];
  readonly p50Low: number | null;
  readonly p50High: number | null;
}

export type SummaryOf = (armId: string, metric: Metric) => Summary | undefined;

export function summaryFinder(summaries: readonly Summary[]): SummaryOf {
  const rows = new Map(summaries.map((row) => [`${row.armId} ${row.metric}`, row]));
  return (armId, metric) => rows.get(`${armId} ${metric}`);
}

export interface CallFailures {
  readonly armId: string;
  readonly calls: number;
  /** Calls by outcome except OK, most frequent first: a canonical code, or the runner's outcome for a call that was never sent. */
  readonly counts: Readonly<Record<string, number>>;
}

export function callFailures(tasks: readonly ArmTasks[]): readonly CallFailures[] {
  return tasks.flatMap(({ armId, calls, failures }) => {
    const counts = [...failures].toSorted(([, one], [, other]) => other - one);
    return counts.length === 0 ? [] : [{ armId, calls, counts: Object.fromEntries(counts) }];
  });
}

/** How many more values of a round lie below `limit` than above, halved: half their number when all are below, 0 when balanced. */
function surplusBelow(round: Float64Array, limit: number): number {
  return (bisectLeft(round, limit) + bisectRight(round, limit) - round.length) / 2;
}

/**
 * Returns the 95 % interval of the median of `sorted`, which contains the values of all `rounds` (each ascending, none empty); null below {@link
 * minimumRounds} rounds. Half of each round should lie below the median. The scatter of that share over rounds is its standard error, and the
 * quantiles at ½ ± t · error are the interval: Woodruff, "Confidence Intervals for Medians and Other Position Measures", Journal of the American
 * Statistical Association 47 (1952), with rounds as clusters. Values equal to the median count half. Clipped to the range of the round medians, since
 * rounds that hardly overlap would need quantiles beyond all values.
 */
export function medianInterval(sorted: Float64Array, rounds: readonly Float64Array[]): Interval | null {
  if (rounds.length < minimumRounds) return null;
  const median = quantile(sorted, 0.5);
  // A round with more values than others moves the median further.
  const shares = rounds.map((round) => (surplusBelow(round, median) * rounds.length) / sorted.length);
  const error = Math.sqrt((variance(shares) as number) / rounds.length);
  const reach = Math.min(0.5, twoSidedT(0.95, rounds.length - 1) * error);
  const medians = rounds.map((round) => quantile(round, 0.5));
  return {
    low: Math.min(median, Math.max(quantile(sorted, 0.5 - reach), Math.min(...medians))),
    high: Math.max(median, Math.min(quantile(sorted, 0.5 + reach), Math.max(...medians))),
  };
}

export interface MetricValues {
  readonly armId: string;
  readonly metric: Metric;
  readonly sorted: Float64Array;
  /** Block means by round, for the mean and its interval. */
  readonly means: ValuesByRound;
  /** The values of each round that has any, ascending, for the interval of the median. */
  readonly rounds: readonly Float64Array[];
}

/** One metric of one arm. Its mean is that of round means, so that rounds weigh equally; all else describes all values. Throws `no-samples`. */
export function summarise({ armId, metric, sorted, means, rounds }: MetricValues): Summary {
  const description = describeSamples(sorted);
  const { min, max } = description;
  // A mean lies among its values: neither rounding nor an interval leaves their range.
  const amongValues = (value: number): number => Math.min(max, Math.max(min, value));
  const roundMeans = meansOfRounds(means);
  const ofMean = tInterval(roundMeans);
  const ofMedian = medianInterval(sorted, rounds);
  return {
    armId,
    metric,
    ...description,
    mean: amongValues(mean(roundMeans) as number),
    meanLow: ofMean && amongValues(ofMean.low),
    meanHigh: ofMean && amongValues(ofMean.high),
    roundMeans,
    p50Low: ofMedian?.low ?? null,
    p50High: ofMedian?.high ?? null,
  };
}

/** The two quantiles at one depth: 2 is the quartiles, 3 the eighths, 4 the sixteenths, … */
interface LetterValue {
  readonly depth: number;
  readonly low: number;
  readonly high: number;
}

/**
 * From the quartiles outward: Hofmann, Wickham and Kafadar, "Letter-Value Plots: Boxplots for Large Data", Journal of Computational and Graphical
 * Statistics 26 (2017). Their rule stops where the 95 % intervals of neighbouring letter values would overlap: floor(log2 n) − floor(log2(2 · 1.96²))
 * + 1 depths.
 */
export function letterValues(sorted: Float64Array): readonly LetterValue[] {
  const z = 1.959964;
  const deepest = Math.floor(Math.log2(sorted.length)) - Math.floor(Math.log2(2 * z * z)) + 1;
  return Array.from({ length: Math.max(0, deepest - 1) }, (_, index) => {
    const depth = index + 2;
    const tail = 2 ** -depth;
    return { depth, low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
  });
}

export interface Distribution {
  readonly armId: string;
  /** At most 200 outliers, including the extremes. */
  readonly outliersDrawn: readonly number[];
  /** Letter values (Hofmann, Wickham, Kafadar 2017) from 1,000 samples on, otherwise empty. Pairs from the quartiles outward. */
  readonly letterValues: readonly { readonly depth: number; readonly low: number; readonly high: number }[];
}

const mostOutliers = 200;
/** With fewer samples a box shows as much as the tails. */
const letterValuesFrom = 1_000;

function thinned(values: Float64Array, most: number): readonly number[] {
  if (values.length <= most) return [...values];
  const stride = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => values[Math.round(index * stride)] as number);
}

/** Prepares one arm's latencies (ascending) for drawing, with the whiskers of its summary. */
export function distributionOf(summary: Summary, sorted: Float64Array): Distribution {
  const below = sorted.findIndex((value) => value >= summary.whiskerLow);
  const within = bisectRight(sorted, summary.whiskerHigh);
  const outliers = new Float64Array(summary.outliers);
  outliers.set(sorted.subarray(0, below));
  outliers.set(sorted.subarray(within), below);
  return {
    armId: summary.armId,
    outliersDrawn: thinned(outliers, mostOutliers),
    letterValues: sorted.length < letterValuesFrom ? [] : letterValues(sorted),
  };
}
