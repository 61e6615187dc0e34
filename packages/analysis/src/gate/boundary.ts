// Critical values of a test with several looks: each look lets so many sign-flip paths cross that all looks together keep the level.
import { quickselect } from "d3-array";
import { repeatTo } from "./flip-sums.ts";

export interface Boundary {
  /**
   * Returns the critical value of the next look for `statistics`, one per path: those above it cross. All paths that crossed so far are at most
   * `level` of all paths, which include the observed one. Infinity if none may cross.
   */
  readonly next: (statistics: Float64Array, paths: number, level: number) => number;
}

/** Statistics closer than this are equal: the same sum in another order. */
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
