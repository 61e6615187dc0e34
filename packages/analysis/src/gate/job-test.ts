// The test behind a FAIL: whether the effect of any cell exceeds `tolerate`, over all cells and all looks of a job.
import { createBoundary } from "./boundary.ts";
import type { FlipSums } from "./flip-sums.ts";

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

export type JobTest = ReturnType<typeof createJobTest>;
