// Tests and intervals by sign flips with several looks: each look lets so many paths cross that all looks together keep the level.
import { quickselect, mean } from "d3-array";
import { repeatTo, reachOf, type FlipSums } from "./flip-sums.ts";
import type { Interval } from "../statistics/student-t.ts";

export interface Boundary {
  /**
   * Returns the critical value of the next look for `statistics`, one per path: those above it cross. All paths that crossed so far are at most
   * `level` of all paths, which include the observed one. Infinity if none may cross.
   */
  readonly next: (statistics: Float64Array, paths: number, level: number) => number;
}

/** Statistics closer than this are equal: the same sum in another order. */
const tie = 1e-9;

/** @param mostPaths the largest number of paths of any look */
export function createBoundary(mostPaths: number): Boundary {
  const crossed = new Uint8Array(mostPaths);
  let before = 1;
  let count = 0;
  return {
    next(statistics, paths, level) {
      repeatTo(crossed, before, paths);
      count *= paths / before;
      before = paths;
      // A level of 3 / 256 is three of 256 paths, despite rounding.
      const allowed = Math.floor(level * paths + 1e-9) - count;
      if (allowed <= 0) return Infinity;
      const left = paths - count;
      if (allowed >= left) {
        // All paths have crossed, so later looks have none left.
        count = paths;
        return -Infinity;
      }
      const remaining = new Float64Array(left);
      let filled = 0;
      for (let path = 0; path < paths; path += 1) {
        if (crossed[path] === 1) continue;
        remaining[filled] = statistics[path] as number;
        filled += 1;
      }
      const bar = left - 1 - allowed;
      quickselect(remaining, bar);
      const critical = (remaining[bar] as number) + tie;
      for (let path = 0; path < paths; path += 1) {
        if (crossed[path] === 1 || (statistics[path] as number) <= critical) continue;
        crossed[path] = 1;
        count += 1;
      }
      return critical;
    },
  };
}

/** Power of the share of planned rounds with which the spent probability grows. */
export type Spending = 1 | 2;

/**
 * Returns what may be spent after `rounds` of `planned`: level · (rounds / planned)^power, the power family of Kim and DeMets, "Design and Analysis
 * of Group Sequential Tests Based on the Type I Error Spending Rate Function", Biometrika 74 (1987). It needs no looks fixed in advance (Lan and
 * DeMets, "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70 (1983)).
 */
export function spentLevel(level: number, rounds: number, planned: number, power: Spending): number {
  return level * Math.min(1, rounds / planned) ** power;
}

/**
 * Returns the share of a FAIL's level that may be spent by each look when passed stacks are left out. A look adds in proportion to the cells with a
 * value since the last look. Fewer cells cross less often, so each could get more. Without this share they did, and a change of exactly τ then
 * exceeded the level. A cell that lost single rounds counts fully.
 * @param isMeasured whether a cell got a value in the rounds from the first (inclusive, 0-based) to the last (exclusive)
 */
export function failSpent(
  looks: readonly number[],
  planned: number,
  cells: number,
  isMeasured: (cell: number, from: number, to: number) => boolean,
): readonly number[] {
  let spent = 0;
  return looks.map((look, index) => {
    const before = looks[index - 1] ?? 0;
    const all = Array.from({ length: cells }, (_, cell) => isMeasured(cell, before, look));
    const part = all.filter(Boolean).length / cells;
    spent += part * (spentLevel(1, look, planned, failSpending) - spentLevel(1, before, planned, failSpending));
    return spent;
  });
}

/** A FAIL blocks its user: early looks get little, so a job of full length loses almost no power. */
export const failSpending: Spending = 2;

/** Most jobs end with a PASS: early looks get their share. */
export const passSpending: Spending = 1;

export interface JobLook {
  /** The largest statistic of any cell on each path. */
  readonly largest: Float64Array;
  readonly seen: readonly number[];
  readonly critical: number;
  /** What all looks so far may spend for a job of level 1. */
  readonly spent: number;
}

export interface JobTestOptions {
  readonly cells: number;
  readonly mostPaths: number;
  /** The tolerated effect, as a logarithm. */
  readonly centre: number;
  readonly level: number;
}

/**
 * Joint sign flips of whole rounds around `centre`: all cells of a round flip together, which keeps their correlation. The largest statistic of all
 * cells is compared with the boundary (max-T: Westfall and Young, "Resampling-Based Multiple Testing", 1993). A cell with an effect below the centre
 * can only make the test more conservative.
 */
export function createJobTest(sums: FlipSums, { cells, mostPaths, centre, level }: JobTestOptions) {
  const boundary = createBoundary(mostPaths);
  const looks: JobLook[] = [];
  return {
    looks: looks as readonly JobLook[],
    /** `spent`: the share of the level that may be spent after this look. */
    look(spent: number): JobLook {
      const paths = sums.paths();
      const largest = new Float64Array(paths).fill(-Infinity);
      const seen: number[] = [];
      const own = new Float64Array(paths);
      for (let cell = 0; cell < cells; cell += 1) {
        sums.write(own, cell, centre, 1);
        seen.push(own[0] as number);
        for (let path = 0; path < paths; path += 1) {
          largest[path] = Math.max(largest[path] as number, own[path] as number);
        }
      }
      const look = { largest, seen, critical: boundary.next(largest, paths, level * spent), spent };
      looks.push(look);
      return look;
    },
  };
}

export interface CellTestOptions {
  readonly cell: number;
  readonly mostPaths: number;
  /** The effect that a PASS excludes, as a logarithm. */
  readonly centre: number;
  readonly level: number;
}

/**
 * A PASS states that every cell is below `centre`, so each is tested at the whole level. A job with a cell that is not below passes only if that
 * cell's test errs (intersection–union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24 (1982)).
 */
export function createCellTest(sums: FlipSums, { cell, mostPaths, centre, level }: CellTestOptions) {
  const boundary = createBoundary(mostPaths);
  const scratch = new Float64Array(mostPaths);
  let atMost = Infinity;
  return {
    /** Returns the smallest upper bound of the effect at any look so far, as a logarithm. The cell passes when it is below the centre. */
    look(spent: number): number {
      sums.write(scratch, cell, centre, -1);
      const critical = boundary.next(scratch, sums.paths(), level * spent);
      const values = sums.valuesOf(cell);
      if (values.length > 0) atMost = Math.min(atMost, (mean(values) as number) + reachOf(values, critical));
      return atMost;
    },
  };
}

/** Minimum values of a cell for an interval: fewer values that are close by chance would look certain. */
const fewestValues = 6;

/** Probability that any interval at any look misses its true value. */
const intervalLevel = 0.05;

function within(one: Interval, other: Interval): Interval | null {
  const low = Math.max(one.low, other.low);
  const high = Math.min(one.high, other.high);
  return low <= high ? { low, high } : null;
}

/**
 * Repeated confidence intervals (Jennison and Turnbull, "Interim Analyses: the Repeated Confidence Interval Approach", Journal of the Royal
 * Statistical Society B 51 (1989)). Each is m ± reach of the critical value for the largest |statistic| of all cells. Each cell is flipped around its
 * own mean, since the true centres are unknown. A value that a look excluded stays excluded, unless that leaves an empty interval.
 */
export function createRepeatedIntervals(sums: FlipSums, cells: number, mostPaths: number) {
  const boundary = createBoundary(mostPaths);
  const kept: Interval[] = Array.from({ length: cells }, () => ({ low: -Infinity, high: Infinity }));
  return {
    /** The cells' intervals, as logarithms. */
    look(spent: number): readonly Interval[] {
      const paths = sums.paths();
      const largest = new Float64Array(paths);
      for (let cell = 0; cell < cells; cell += 1) {
        const values = sums.valuesOf(cell);
        if (values.length === 0) continue;
        sums.raise(largest, cell, mean(values) as number);
      }
      const critical = boundary.next(largest, paths, intervalLevel * spent);
      for (let cell = 0; cell < cells; cell += 1) {
        const values = sums.valuesOf(cell);
        const reach = values.length < fewestValues ? Infinity : reachOf(values, critical);
        if (reach === Infinity) continue;
        const centre = mean(values) as number;
        const now = { low: centre - reach, high: centre + reach };
        kept[cell] = within(kept[cell] as Interval, now) ?? now;
      }
      return kept;
    },
  };
}
