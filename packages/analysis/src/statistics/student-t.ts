// Intervals over rounds, the unit of replication: of a mean by Student's t, of the ratio of two means, such as where two fitted lines cross, and of a
// median.
import { mean, variance } from "d3-array";
import { AnalysisError } from "../basics/analysis-error.ts";

/** The fewest rounds for an interval of one arm: with five, all rounds fall on one side of the truth by chance once in sixteen (2 · 2⁻⁵ > 5 %). */
export const minimumRounds = 6;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Block values (means, costs per task) of one arm by round; a round may have none. */
export type ValuesByRound = readonly (readonly number[])[];

/** P(|T| ≤ √ν · tan(angle)) for ν degrees of freedom: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4. */
function twoSidedProbability(angle: number, degrees: number): number {
  const cosine = Math.cos(angle);
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let factor = odd ? 2 : 1; factor <= degrees - 3; factor += 2) {
    term *= (factor / (factor + 1)) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/** The t that |T| exceeds with probability 1 − `confidence`, in [0, 1). `degrees` is an integer from 1. Otherwise throws `bad-option`. */
export function twoSidedT(confidence: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1 || !(confidence >= 0 && confidence < 1)) {
    throw new AnalysisError("bad-option", `no t for confidence ${confidence} with ${degrees} degrees of freedom`);
  }
  let [low, high] = [0, Math.PI / 2];
  // Bisection of the angle to double precision.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.sqrt(degrees) * Math.tan(middle);
    if (twoSidedProbability(middle, degrees) < confidence) low = middle;
    else high = middle;
  }
}

/** The t interval of a mean of round-level values; null below `fewest` rounds. @param confidence 0.95 unless it shares an error rate with others */
export function tInterval(
  values: readonly number[],
  confidence = 0.95,
  fewest: number = minimumRounds,
): Interval | null {
  if (values.length < fewest) return null;
  const centre = mean(values) as number;
  const halfWidth = twoSidedT(confidence, values.length - 1) * Math.sqrt((variance(values) as number) / values.length);
  return { low: centre - halfWidth, high: centre + halfWidth };
}

/** The means of the blocks of each round that has any, in round order. */
export function meansOfRounds(rounds: ValuesByRound): readonly number[] {
  return rounds.flatMap((blocks) => (blocks.length === 0 ? [] : [mean(blocks) as number]));
}

export interface Line {
  readonly intercept: number;
  readonly slope: number;
}

export function lineFit(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const centreX = mean(points, (point) => point.x) ?? 0;
  const centreY = mean(points, (point) => point.y) ?? 0;
  let across = 0;
  let along = 0;
  for (const { x, y } of points) {
    across += (x - centreX) ** 2;
    along += (x - centreX) * (y - centreY);
  }
  const slope = along / across;
  return { slope, intercept: centreY - slope * centreX };
}

/**
 * Returns the 95 % interval of mean(above) / mean(below) for paired values: Fieller, "Some Problems in Interval Estimation", Journal of the Royal
 * Statistical Society B 16 (1954). Exact for normal pairs; a plain ± would be wrong because the ratio is skewed. Null with too few pairs, or when the
 * denominator may be 0, so that the interval is unbounded.
 */
export function fiellerInterval(above: readonly number[], below: readonly number[]): Interval | null {
  const n = above.length;
  if (n < minimumRounds) return null;
  const centreA = mean(above) as number;
  const centreB = mean(below) as number;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  above.forEach((value, index) => {
    const deviationB = (below[index] as number) - centreB;
    squaresA += (value - centreA) ** 2;
    squaresB += deviationB ** 2;
    products += (value - centreA) * deviationB;
  });
  const scale = twoSidedT(0.95, n - 1) ** 2 / (n * (n - 1));
  // The ratios ρ with (A − ρB)² ≤ t² Var(A − ρB): between the roots of a quadratic.
  const a = centreB ** 2 - scale * squaresB;
  const b = centreA * centreB - scale * products;
  const c = centreA ** 2 - scale * squaresA;
  if (a <= 0) return null;
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  return { low: (b - root) / a, high: (b + root) / a };
}

export interface OrderStatistics {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The interval from the k-th smallest to the k-th largest value contains the median with probability 1 − 2 P(B < k), B binomial with n and ½ (W. J.
 * Conover, "Practical Nonparametric Statistics", 1999, section 3.2). k is the largest that leaves 95 %: six values give 96.9 % from the smallest to
 * the largest, five give no interval. The median of an even number is the mean of the middle two, unless one of them is 0 or infinite: then it is
 * that one.
 * @param values at least one
 */
export function orderStatisticInterval(values: readonly number[]): OrderStatistics {
  const sorted = values.toSorted((one, other) => one - other);
  const n = sorted.length;
  const middle = [sorted[Math.ceil(n / 2) - 1] ?? Number.NaN, sorted[Math.floor(n / 2)] ?? Number.NaN] as const;
  const beyond = middle.find((value) => value === 0 || !Number.isFinite(value));
  const median = beyond ?? (middle[0] + middle[1]) / 2;
  let k = 0;
  let [probability, below] = [0.5 ** n, 0];
  while (2 * k < n && 1 - 2 * (below + probability) >= 0.95) {
    below += probability;
    k += 1;
    probability *= (n - k + 1) / k;
  }
  return k === 0
    ? { median, low: null, high: null }
    : { median, low: sorted[k - 1] ?? null, high: sorted[n - k] ?? null };
}
