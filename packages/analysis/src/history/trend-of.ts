// One metric of one arm over the runs of a history: its level, its changes, and changes of its environment.
import { mean } from "d3-array";
import { randomFrom } from "../statistics/random.ts";
import type { EnvironmentDifference } from "../versions/version-comparison.ts";
import { changePointDefaults, changePoints, type ChangePointOptions } from "./change-points.ts";
import { fingerprintDifferences, type EnvironmentFingerprint } from "./environment-fingerprint.ts";

export interface TrendPoint {
  readonly runId: string;
  readonly revision: string;
  /** Its time in the history, in ISO 8601. */
  readonly at: string;
  readonly environment: EnvironmentFingerprint;
  readonly mean: number;
  /** The 95 % interval within the run; null with too few rounds. */
  readonly low: number | null;
  readonly high: number | null;
}

/** A change that the environment does not explain: of the code, or of the machine itself. */
export interface TrendChange {
  /** Index of the first point after it. */
  readonly index: number;
  /** Index of the last point before it in the same environment. */
  readonly lastBefore: number;
  /** Levels of the stretches before and after: geometric means if all values are above 0, otherwise arithmetic means. */
  readonly before: number;
  readonly after: number;
  /** After over before; null where a value is 0 or below. */
  readonly ratio: number | null;
  readonly p: number;
}

/** Two neighbouring points in different environments, between which no change is reported. */
export interface TrendBreak {
  /** Index of the first point after it. */
  readonly index: number;
  readonly differences: readonly EnvironmentDifference[];
}

/** Consecutive points of one environment without a change. */
export interface TrendStretch {
  readonly indices: readonly number[];
  readonly level: number;
}

export interface Trend {
  readonly points: readonly TrendPoint[];
  readonly changes: readonly TrendChange[];
  readonly breaks: readonly TrendBreak[];
  readonly stretches: readonly TrendStretch[];
}

export interface TrendOptions extends ChangePointOptions {
  readonly seed: number;
}

export const trendDefaults = { ...changePointDefaults, seed: 1 } as const satisfies TrendOptions;

/** Counts are exact, but their means over different numbers of blocks differ in the last digits. */
const significantDigits = 12;

interface OfEnvironment {
  readonly changes: readonly TrendChange[];
  readonly stretches: readonly TrendStretch[];
}

function inEnvironment(points: readonly TrendPoint[], places: readonly number[], options: TrendOptions): OfEnvironment {
  const means = places.map((place) => Number((points[place] as TrendPoint).mean.toPrecision(significantDigits)));
  const isPositive = means.every((value) => value > 0);
  // Noise of times is proportional to them: that of their logarithms is the same at every level.
  const values = isPositive ? means.map(Math.log) : means;
  const found = changePoints(values, options, randomFrom(options.seed, "change points"));
  const borders = [0, ...found.map(({ index }) => index), values.length];
  const stretches = borders.slice(1).map((end, at): TrendStretch => {
    const start = borders[at] as number;
    const level = mean(values.slice(start, end)) ?? Number.NaN;
    return { indices: places.slice(start, end), level: isPositive ? Math.exp(level) : level };
  });
  const changes = found.map(({ index, p }, at): TrendChange => {
    const before = (stretches[at] as TrendStretch).level;
    const after = (stretches[at + 1] as TrendStretch).level;
    return {
      index: places[index] as number,
      lastBefore: places[index - 1] as number,
      before,
      after,
      ratio: isPositive ? after / before : null,
      p,
    };
  });
  return { changes, stretches };
}

function breaksOf(points: readonly TrendPoint[]): readonly TrendBreak[] {
  return points.flatMap(({ environment }, index) => {
    const earlier = points[index - 1];
    const differences = earlier === undefined ? [] : fingerprintDifferences(earlier.environment, environment);
    return differences.length === 0 ? [] : [{ index, differences }];
  });
}

/**
 * Reads a trend. Runs of one environment form one series, even with runs of others in between. A difference between environments is a break, not a
 * change.
 * @param points in the history's order. Throws `not-a-number` for means that are not finite.
 */
export function trendOf(points: readonly TrendPoint[], options: TrendOptions = trendDefaults): Trend {
  const places = points.map((_, index) => index);
  const groups = Map.groupBy(places, (place) => JSON.stringify((points[place] as TrendPoint).environment));
  const parts = [...groups.values()].map((some) => inEnvironment(points, some, options));
  return {
    points,
    changes: parts.flatMap(({ changes }) => changes).toSorted((one, other) => one.index - other.index),
    breaks: breaksOf(points),
    stretches: parts.flatMap(({ stretches }) => stretches),
  };
}
