// Intervals for all cells of a job that hold together, at whatever look the job ends.
import { mean } from "d3-array";
import { createBoundary } from "./boundary.ts";
import { createFlipSums, reachOf, type FlipSums } from "./flip-sums.ts";
import type { GateSettings } from "./gate-settings.ts";
import type { SignGroup } from "./sign-group.ts";
import { passSpending, spentLevel } from "./spending.ts";
import type { Interval } from "../statistics/two-level-bootstrap.ts";

/** Values that a cell must have for an interval: of fewer, a few that happen to lie together look like certainty. */
const fewestValues = 6;

/** One minus the probability that all intervals at all looks hold what they should. */
const intervalLevel = 0.05;

function within(one: Interval, other: Interval): Interval | null {
  const low = Math.max(one.low, other.low);
  const high = Math.min(one.high, other.high);
  return low <= high ? { low, high } : null;
}

/**
 * Repeated confidence intervals (Jennison and Turnbull, "Interim Analyses: the Repeated Confidence Interval Approach", Journal of the Royal Statistical
 * Society B 51 (1989)): m ± reach of the critical value for the largest |statistic| of all cells, each flipped around its own mean,
 * because the centres are what is not known. What a look excluded stays excluded, unless that would leave nothing.
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

/** The intervals (of logarithms) that a job has whose rounds these are, at the last look that they reach. */
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
