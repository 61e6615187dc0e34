// Means over rounds with simultaneous intervals.
import { type Interval, maxTIntervals, randomFrom } from "@roundtrip/analysis/statistics";
import type { Figure } from "./measure.ts";

export interface MeanWithInterval {
  readonly mean: number;
  /** Simultaneous 95 % interval; null for too few rounds. */
  readonly interval: Interval | null;
}

/** One result per series. All series are of one kind: each widens its interval by the typical variation of all. */
export function meanIntervals(family: readonly (readonly number[])[], seed: number): readonly MeanWithInterval[] {
  const intervals = maxTIntervals(family, randomFrom(seed, "bench:self"));
  return family.map((values, index) => ({
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    interval: intervals[index] ?? null,
  }));
}

/** Values of one kind and unit, measured in every round. */
export interface Series extends Pick<Figure, "of" | "unit" | "atMost"> {
  /** One value per round. */
  readonly values: readonly number[];
}

/** A figure per series: its mean, with an interval as in {@link meanIntervals}. */
export function meanFigures(series: readonly Series[], seed: number): readonly Figure[] {
  const computed = meanIntervals(
    series.map(({ values }) => values),
    seed,
  );
  return series.map(({ of, unit, atMost }, index) => ({
    of,
    value: computed[index]?.mean ?? Number.NaN,
    interval: computed[index]?.interval ?? null,
    unit,
    atMost,
  }));
}

/** The same for series of logarithms, as ratios. */
export function ratioIntervals(family: readonly (readonly number[])[], seed: number): readonly MeanWithInterval[] {
  return meanIntervals(family, seed).map(({ mean, interval }) => ({
    mean: Math.exp(mean),
    interval: interval && { low: Math.exp(interval.low), high: Math.exp(interval.high) },
  }));
}
