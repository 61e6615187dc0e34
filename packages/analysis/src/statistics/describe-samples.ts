// Describes a set of samples as box plots and papers do: mean, standard deviation, quantiles, whiskers, outliers.
import { bisectLeft, bisectRight, fsum, quantileSorted, quickselect, variance } from "d3-array";
import { AnalysisError } from "../basics/analysis-error.ts";

/**
 * The one-sample Hodges–Lehmann estimate (pseudo-median): the median of all Walsh averages (xᵢ + xⱼ) / 2, i ≤ j. Hodges and Lehmann, "Estimates of
 * Location Based on Rank Tests", Annals of Mathematical Statistics 34 (1963). Quadratic: use it for rounds, not calls.
 */
export function hodgesLehmann(values: readonly number[]): number {
  const averages = values.flatMap((value, index) => values.slice(index).map((other) => (value + other) / 2));
  return quantile(sortedCopy(averages), 0.5);
}

/** In the samples' own unit. */
export interface Description {
  readonly n: number;
  readonly mean: number;
  /** With Bessel's correction; 0 for a single sample. */
  readonly stddev: number;
  readonly min: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Tukey's: the last sample within 1.5 interquartile ranges of the box. */
  readonly whiskerLow: number;
  readonly whiskerHigh: number;
  /** Samples beyond the whiskers: counted, never deleted. */
  readonly outliers: number;
}

function requireFinite(samples: Float64Array): void {
  for (let index = 0; index < samples.length; index += 1) {
    if (!Number.isFinite(samples[index])) {
      throw new AnalysisError("not-a-number", `sample ${index} is ${samples[index]}, not a finite number`);
    }
  }
}

/** Sorts the samples in place, ascending. Throws `not-a-number` for NaN and infinities. */
export function sortInPlace(samples: Float64Array): Float64Array {
  requireFinite(samples);
  // oxlint-disable-next-line no-array-sort -- in place is what is wanted
  return samples.sort();
}

/** Returns a sorted copy, ascending. Throws `not-a-number` for NaN and infinities. */
export function sortedCopy(samples: ArrayLike<number>): Float64Array {
  return sortInPlace(new Float64Array(samples));
}

/**
 * Returns a quantile of ascending samples by linear interpolation: type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The
 * American Statistician 50 (1996); the default of R, NumPy and d3. Throws `no-samples`.
 */
export function quantile(sorted: Float64Array, fraction: number): number {
  // d3's types require an Array; it only reads by index.
  const value = quantileSorted(sorted as unknown as number[], fraction);
  if (value === undefined) throw new AnalysisError("no-samples", "there is no quantile of no samples");
  return value;
}

/** {@link quantile} of unsorted samples, which it reorders: faster than sorting. Throws `not-a-number` for NaN and infinities. */
export function selectQuantile(samples: Float64Array, fraction: number): number {
  requireFinite(samples);
  // A quantile reads the two order statistics around it: quickselect moves these two into position.
  const below = Math.floor((samples.length - 1) * fraction);
  quickselect(samples, below);
  quickselect(samples, below + 1, below + 1);
  return quantile(samples, fraction);
}

/** Describes ascending samples. Throws `no-samples`. An exact sum (Shewchuk) and Welford's variance: a small spread beside the mean loses no digits. */
export function describeSamples(sorted: Float64Array): Description {
  const n = sorted.length;
  if (n === 0) throw new AnalysisError("no-samples", "there is nothing to describe: no samples");
  const min = sorted[0] as number;
  const max = sorted[n - 1] as number;
  const p25 = quantile(sorted, 0.25);
  const p75 = quantile(sorted, 0.75);
  const reach = 1.5 * (p75 - p25);
  const below = bisectLeft(sorted, p25 - reach);
  const within = bisectRight(sorted, p75 + reach);
  return {
    n,
    // Rounding must not move the mean of equal samples away from them.
    mean: Math.min(max, Math.max(min, fsum(sorted) / n)),
    stddev: Math.sqrt(variance(sorted) ?? 0),
    min,
    p25,
    p50: quantile(sorted, 0.5),
    p75,
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max,
    whiskerLow: sorted[below] as number,
    whiskerHigh: sorted[within - 1] as number,
    outliers: below + (n - within),
  };
}
