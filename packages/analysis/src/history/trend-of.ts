// One metric of one arm over the runs of a history: its level, where it changed, and where what was around it did.
import { mean } from "d3-array";
import { randomFrom } from "../statistics/random.ts";
import type { EnvironmentDifference } from "../versions/version-comparison.ts";
import { changePointDefaults, changePoints, type ChangePointOptions } from "./change-points.ts";
import { fingerprintDifferences, type EnvironmentFingerprint } from "./environment-fingerprint.ts";

/** What one run says of the metric. */
export interface TrendPoint {
  readonly runId: string;
  readonly revision: string;
  /** Where it stands in the history: ISO 8601. */
  readonly at: string;
  readonly environment: EnvironmentFingerprint;
  readonly mean: number;
  /** The 95 % interval within the run; null with too few rounds. */
  readonly low: number | null;
  readonly high: number | null;
}

/** A change that is not explained by the environment: the code's, or the machine's own. */
export interface TrendChange {
  /** Index of the first point after it. */
  readonly index: number;
  /** Index of the last point before it in the same environment: the change came after that. */
  readonly lastBefore: number;
  /** Levels of the stretches before and after: geometric means where all values are above 0, else arithmetic ones. */
  readonly before: number;
  readonly after: number;
  /** After over before; null where a value is 0 or below. */
  readonly ratio: number | null;
  readonly p: number;
}

/** Two neighbouring points of different environments: no change is reported from one to the other. */
export interface TrendBreak {
  /** Index of the first point after it. */
  readonly index: number;
  readonly differences: readonly EnvironmentDifference[];
}

/** Points between which nothing has changed, of one environment. */
export interface TrendStretch {
  readonly indices: readonly number[];
  readonly level: number;
}

export interface Trend {
  /** In the order of the history. */
  readonly points: readonly TrendPoint[];
  readonly changes: readonly TrendChange[];
  readonly breaks: readonly TrendBreak[];
  readonly stretches: readonly TrendStretch[];
}

export interface TrendOptions extends ChangePointOptions {
  readonly seed: number;
}

/** The defaults that every command starts from. */
export const trendDefaults = { ...changePointDefaults, seed: 1 } as const satisfies TrendOptions;

/** Counts are exact, and their means over other numbers of blocks differ in the last digits. */
const tellingDigits = 12;

interface OfEnvironment {
  readonly changes: readonly TrendChange[];
  readonly stretches: readonly TrendStretch[];
}

/** Changes among the points at these places, all of one environment. */
function inEnvironment(points: readonly TrendPoint[], places: readonly number[], options: TrendOptions): OfEnvironment {
  const means = places.map((place) => Number((points[place] as TrendPoint).mean.toPrecision(tellingDigits)));
  const isPositive = means.every((value) => value > 0);
  // Noise of times is a share of them: of their logarithms it is the same at every level.
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
 * Reads a trend. Runs of one environment are read together, also where those of others stand between them, and never across: what a new machine
 * or runtime changes is a break and no change. @param points in the history's order. Throws `not-a-number` for means that are not finite.
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
