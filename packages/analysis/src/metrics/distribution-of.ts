// Thins a distribution for drawing: the same picture from a thousand samples and from a million.
import { countAtOrBelow, quantile } from "../statistics/describe-samples.ts";
import { meansOfRounds, type ValuesByRound } from "../statistics/student-t.ts";
import type { Summary } from "./summarise.ts";

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
  /** Mean latency per round, in round order: shows drift and outlying rounds. */
  readonly roundMeansMs: readonly number[];
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
export function distributionOf(summary: Summary, sorted: Float64Array, means: ValuesByRound): Distribution {
  const below = sorted.findIndex((value) => value >= summary.whiskerLow);
  const within = countAtOrBelow(sorted, summary.whiskerHigh);
  const outliers = new Float64Array(summary.outliers);
  outliers.set(sorted.subarray(0, below));
  outliers.set(sorted.subarray(within), below);
  return {
    armId: summary.armId,
    outliersDrawn: thinned(outliers, mostOutliers),
    letterValues: sorted.length < letterValuesFrom ? [] : letterValues(sorted),
    roundMeansMs: meansOfRounds(means),
  };
}
