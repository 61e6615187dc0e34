// The test behind a FAIL: is any cell's effect beyond what is tolerated? One answer for all cells and all looks of a job.
import { createBoundary } from "./boundary.ts";
import type { FlipSums } from "./flip-sums.ts";

/** What one look found. */
export interface JobLook {
  /** The largest statistic of any cell on each path. */
  readonly largest: Float64Array;
  /** Each cell's statistic as it was seen. */
  readonly seen: readonly number[];
  readonly critical: number;
  /** What all looks until now may spend for a job whose level is 1. */
  readonly spent: number;
}

export interface JobTestOptions {
  /** How many there are. */
  readonly cells: number;
  /** The largest number of paths of any look. */
  readonly mostPaths: number;
  /** The effect that is tolerated, as a logarithm. */
  readonly centre: number;
  readonly level: number;
}

/**
 * Joint sign flips of whole rounds around `centre`: all cells of a round change sign together, so that what they have in common stays. The
 * largest statistic of all cells is held against the boundary (max-T: Westfall and Young, "Resampling-Based Multiple Testing", 1993).
 * A cell whose effect is below the centre can only make the test more cautious.
 */
export function createJobTest(sums: FlipSums, { cells, mostPaths, centre, level }: JobTestOptions) {
  const boundary = createBoundary(mostPaths);
  const looks: JobLook[] = [];
  return {
    looks: looks as readonly JobLook[],
    /** `spent` is the part of the level that may have been spent when this look is over. */
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

export type JobTest = ReturnType<typeof createJobTest>;
