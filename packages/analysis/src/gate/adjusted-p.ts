// How certain the gate is of one cell: the smallest level for the whole job at which the cell is worse.
import { createBoundary } from "./boundary.ts";
import type { JobLook } from "./job-test.ts";

/** Levels are reported in steps of this factor. The job's own level is one of them, so that p ≤ α exactly where the cell is worse. */
const step = 1.08;

/** Returns the level of each cell, rounded up to a step; 1 for a cell that is worse at no level. */
export function adjustedP(looks: readonly JobLook[], level: number): readonly number[] {
  const last = looks.at(-1);
  if (last === undefined) return [];
  const mostPaths = last.largest.length;
  const highest = Math.floor(Math.log(1 / level) / Math.log(step));
  const lowest = Math.min(0, Math.ceil(Math.log(1 / mostPaths / level) / Math.log(step)));
  const known = new Map<number, readonly number[]>();

  function criticalAt(exponent: number): readonly number[] {
    const seen = known.get(exponent);
    if (seen !== undefined) return seen;
    const boundary = createBoundary(mostPaths);
    const critical = looks.map(({ largest, spent }) =>
      boundary.next(largest, largest.length, level * step ** exponent * spent),
    );
    known.set(exponent, critical);
    return critical;
  }

  return last.seen.map((_, cell) => {
    // A statistic of at most 0 is exceeded by half of all paths.
    if (looks.every(({ seen }) => (seen[cell] as number) <= 0)) return 1;
    const isWorse = (exponent: number): boolean => {
      const critical = criticalAt(exponent);
      return looks.some(({ seen }, look) => (seen[cell] as number) > (critical[look] as number));
    };
    let [low, high] = isWorse(0) ? [lowest - 1, 0] : [0, highest + 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isWorse(middle)) high = middle;
      else low = middle;
    }
    return high > highest ? 1 : level * step ** high;
  });
}
