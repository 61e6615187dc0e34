// Intervals for all cells of a job that are simultaneous over all looks.
import { mean } from "d3-array";
import { createBoundary } from "./boundary.ts";
import { createFlipSums, reachOf, type FlipSums } from "./flip-sums.ts";
import type { GateSettings } from "./gate-settings.ts";
import type { SignGroup } from "./sign-group.ts";
import { passSpending, spentLevel } from "./spending.ts";
import type { Interval } from "../statistics/student-t.ts";

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

/** Returns the intervals (of logarithms) of a job with these rounds, at the last look that they reach. */
export function repeatedIntervals(
  values: readonly (readonly number[])[],
  { looks }: Pick<GateSettings, "looks">,
  group: SignGroup,
): readonly Interval[] {
  const cells = values[0]?.length ?? 0;
  const planned = looks.at(-1) ?? 0;
  const sums = createFlipSums(group, cells, values.length);
  const intervals = createRepeatedIntervals(sums, cells, group.pathsAfter(values.length));
  let last: readonly Interval[] = [];
  values.forEach((round, done) => {
    sums.add(round);
    if (looks.includes(done + 1)) last = intervals.look(spentLevel(1, done + 1, planned, passSpending));
  });
  return last;
}
