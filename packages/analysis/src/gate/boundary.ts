// Critical values of a test that looks several times: each look may be crossed by so many paths of sign flips that all looks together keep the level.
import { repeatTo } from "./flip-sums.ts";

/** Brings the smallest to the front again, where a larger one has taken its place. */
function sink(places: Int32Array, values: Float64Array, count: number): void {
  const place = places[0] as number;
  const value = values[place] as number;
  let at = 0;
  for (let child = 1; child < count; child = 2 * at + 1) {
    const other = child + 1;
    if (other < count && (values[places[other] as number] as number) < (values[places[child] as number] as number)) {
      child = other;
    }
    if ((values[places[child] as number] as number) >= value) break;
    places[at] = places[child] as number;
    at = child;
  }
  places[at] = place;
}

/** The same where one has come to the end. */
function rise(places: Int32Array, values: Float64Array, last: number): void {
  const place = places[last] as number;
  let at = last;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    if ((values[places[parent] as number] as number) <= (values[place] as number)) break;
    places[at] = places[parent] as number;
    at = parent;
  }
  places[at] = place;
}

/** Numbers to choose from: the first `length` values that are not left out (1). */
interface Candidates {
  readonly values: Float64Array;
  readonly length: number;
  readonly isLeftOut: Uint8Array;
}

/**
 * Writes where the `count` largest of the first `length` values are, of those that are not left out (1), into `places`; the first of them is that of the smallest. There
 * have to be as many. A heap (Williams, "Algorithm 232: Heapsort", Communications of the ACM 7 (1964)): few values of many get into it.
 */
export function largestPlaces(places: Int32Array, count: number, { values, length, isLeftOut }: Candidates): void {
  let found = 0;
  let least = -Infinity;
  for (let place = 0; place < length; place += 1) {
    const value = values[place] as number;
    if (found === count && value <= least) continue;
    if (isLeftOut[place] === 1) continue;
    if (found < count) {
      places[found] = place;
      rise(places, values, found);
      found += 1;
    } else {
      places[0] = place;
      sink(places, values, count);
    }
    least = values[places[0] as number] as number;
  }
}

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
  const places = new Int32Array(mostPaths);
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
      // The one after those that may cross; they are where the largest are.
      largestPlaces(places, allowed + 1, { values: statistics, length: paths, isLeftOut: crossed });
      const critical = (statistics[places[0] as number] as number) + tie;
      for (const path of places.subarray(1, allowed + 1)) {
        if ((statistics[path] as number) <= critical) continue;
        crossed[path] = 1;
        count += 1;
      }
      return critical;
    },
  };
}
