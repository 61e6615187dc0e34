// Critical values of a test that looks several times: each look may be crossed by so many paths of sign flips that all looks together keep the level.
import { quickselect } from "d3-array";
import { repeatTo } from "./flip-sums.ts";

export interface Boundary {
  /**
   * The critical value of the next look: `statistics` (one for each of `paths` paths) above it have crossed. With those that crossed at
   * an earlier look they are at most `level` of all paths; what was seen is one of them. Infinity where that leaves none.
   */
  readonly next: (statistics: Float64Array, paths: number, level: number) => number;
}

/** Statistics nearer to each other than this are equal: the same sum, added up in another order. */
export const tie = 1e-9;

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
      // A level of 3 / 256 is three paths of 256, whatever rounding makes of it.
      const allowed = Math.floor(level * paths + 1e-9) - count;
      if (allowed <= 0) return Infinity;
      const left = paths - count;
      if (allowed >= left) {
        // Nothing is left to cross at a later look: who crossed is not asked again.
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
      // The largest of those that may not cross: nothing else needs to be in order.
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
