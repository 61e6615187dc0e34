// The sums of every cell's log ratios along every path of sign flips, round by round, and the bounds on an effect from them.
import { mean } from "d3-array";
import type { SignGroup } from "./sign-group.ts";

/** Repeats the first `from` entries until there are `to`. */
export function repeatTo(array: Float64Array | Uint8Array, from: number, to: number): void {
  for (let filled = from; filled < to; filled *= 2) array.copyWithin(filled, 0, filled);
}

export interface FlipSums {
  /** Paths after the rounds added so far. */
  readonly paths: () => number;
  /** Adds one value per cell; a value that is not finite means that the cell lacks this round. */
  readonly add: (values: readonly number[]) => void;
  readonly valuesOf: (cell: number) => readonly number[];
  /**
   * Writes Σ s·(x − centre) / √ Σ (x − centre)² of this cell, times `direction`, into `into` for each path; 0 where all values equal the centre. The
   * denominator is the same on all paths, so the statistic is an increasing function of that of a t test.
   */
  readonly write: (into: Float64Array, cell: number, centre: number, direction: 1 | -1) => void;
  /** Raises entries of `into` to the magnitude of the same statistic where that is larger. */
  readonly raise: (into: Float64Array, cell: number, centre: number) => void;
}

/** √ Σ (x − centre)², or 0 when that is only rounding. */
export function lengthFrom(centre: number, values: readonly number[]): number {
  const length = Math.sqrt(values.reduce((squares, value) => squares + (value - centre) ** 2, 0));
  // Values this close to the centre equal it.
  return length <= 1e-12 * Math.abs(centre) * Math.sqrt(values.length) ? 0 : length;
}

export function createFlipSums(group: SignGroup, cells: number, rounds: number): FlipSums {
  const mostPaths = group.pathsAfter(rounds);
  const sums = Array.from({ length: cells }, () => new Float64Array(mostPaths));
  const values = Array.from({ length: cells }, (): number[] => []);
  /** Σ s over the rounds for cells with all rounds; other cells count their own. */
  const common = new Float64Array(mostPaths);
  const own: (Float64Array | undefined)[] = Array.from({ length: cells });
  let done = 0;

  function scale(cell: number, centre: number, direction: 1 | -1): number {
    const length = lengthFrom(centre, values[cell] ?? []);
    return length === 0 ? 0 : direction / length;
  }

  return {
    paths: () => group.pathsAfter(done),
    add(round) {
      const signs = group.signsOf(done);
      const paths = signs.length;
      const before = group.pathsAfter(done);
      for (const array of [common, ...sums, ...own]) if (array !== undefined) repeatTo(array, before, paths);
      sums.forEach((sum, cell) => {
        const value = round[cell] ?? Number.NaN;
        if (Number.isFinite(value)) {
          values[cell]?.push(value);
          for (let path = 0; path < paths; path += 1)
            sum[path] = (sum[path] as number) + (signs[path] as number) * value;
          const counted = own[cell];
          if (counted === undefined) return;
          for (let path = 0; path < paths; path += 1)
            counted[path] = (counted[path] as number) + (signs[path] as number);
        } else own[cell] ??= common.slice();
      });
      for (let path = 0; path < paths; path += 1) common[path] = (common[path] as number) + (signs[path] as number);
      done += 1;
    },
    valuesOf: (cell) => values[cell] ?? [],
    write(into, cell, centre, direction) {
      const sum = sums[cell] as Float64Array;
      const count = own[cell] ?? common;
      const factor = scale(cell, centre, direction);
      const paths = group.pathsAfter(done);
      for (let path = 0; path < paths; path += 1) {
        into[path] = ((sum[path] as number) - centre * (count[path] as number)) * factor;
      }
    },
    raise(into, cell, centre) {
      const sum = sums[cell] as Float64Array;
      const count = own[cell] ?? common;
      const factor = scale(cell, centre, 1);
      const paths = group.pathsAfter(done);
      for (let path = 0; path < paths; path += 1) {
        const statistic = Math.abs(((sum[path] as number) - centre * (count[path] as number)) * factor);
        into[path] = Math.max(into[path] as number, statistic);
      }
    },
  };
}

/**
 * Returns how far a centre must be from the mean of `values` for Σ (x − centre) / √ Σ (x − centre)² to equal `critical`, in the values' unit. With u
 * = critical / √n and s the root mean square deviation, that is s · u / √(1 − u²). Infinity where no centre is far enough: the statistic never
 * exceeds √n.
 */
export function reachOf(values: readonly number[], critical: number): number {
  const u = critical / Math.sqrt(values.length);
  if (values.length === 0 || u >= 1) return Infinity;
  if (u <= -1) return -Infinity;
  const deviation = lengthFrom(mean(values) as number, values) / Math.sqrt(values.length);
  return (deviation * u) / Math.sqrt(1 - u * u);
}
