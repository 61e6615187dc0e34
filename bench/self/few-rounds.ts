// How often intervals of ratios from a few rounds miss the true value, for each kind of noise.
import { randomFrom, simultaneousIntervals } from "@roundtrip/analysis/statistics";
import { noises, type NoiseSource } from "./gate/noises.ts";

interface TableShape {
  readonly noise: string;
  readonly rounds: number;
  /** Comparisons in a table with simultaneous intervals. */
  readonly comparisons: number;
  readonly tables: number;
}

export interface CoverageRow extends TableShape {
  /** Tables in which at least one interval missed the true value. */
  readonly missed: number;
  /** Mean half-width of an interval, in standard deviations of the log ratio of a round. */
  readonly halfWidth: number;
}

/** The promised maximum share of such tables. */
export const mostMissed = 0.05;

/** Student's t is quick to compute, max-T is not. */
const shapes = [
  { rounds: 3, tables: 10_000 },
  { rounds: 4, tables: 10_000 },
  { rounds: 5, tables: 10_000 },
  { rounds: 6, tables: 2_000 },
] as const;

const tableSizes = [1, 3, 6] as const;

/** The minimum number of draws for a critical value of max-T: its error is small beside that of the number of tables. */
const drawsOfMaxT = 2_000;

/** Comparisons that share arms share noise: half of it, by variance. A single one has only noise of its kind. */
function simulatedTable(noise: NoiseSource, rounds: number, comparisons: number): readonly (readonly number[])[] {
  if (comparisons === 1) return [[...noise(rounds)]];
  const common = noise(rounds);
  return Array.from({ length: comparisons }, () =>
    Array.from(noise(rounds), (own, round) => Math.SQRT1_2 * (own + (common[round] ?? 0))),
  );
}

/** Simulates `tables` tables with one kind of noise; the same seed gives the same row. Throws an Error for an unknown kind. */
export function coverageOf(shape: TableShape, seed: number): CoverageRow {
  const { noise: name, rounds, comparisons, tables } = shape;
  const noise = noises.find((kind) => kind.name === name);
  if (noise === undefined) throw new Error(`there is no noise ${name}`);
  const random = randomFrom(seed, `${name} ${rounds} ${comparisons}`);
  const source = noise.from(random);
  let missed = 0;
  let halfWidths = 0;
  for (let table = 0; table < tables; table += 1) {
    const intervals = simultaneousIntervals(simulatedTable(source, rounds, comparisons), random, drawsOfMaxT);
    if (intervals.some((interval) => interval === null || interval.low > 0 || interval.high < 0)) missed += 1;
    for (const interval of intervals) halfWidths += ((interval?.high ?? 0) - (interval?.low ?? 0)) / 2;
  }
  return { ...shape, missed, halfWidth: halfWidths / (tables * comparisons) };
}

/** All kinds of noise, from three to six rounds; the same seed gives the same rows. Takes a minute. */
export function coverageRows(seed: number, onProgress: (text: string) => void): readonly CoverageRow[] {
  return noises.flatMap(({ name: noise }) => {
    onProgress(noise);
    return tableSizes.flatMap((comparisons) =>
      shapes.map((shape) => coverageOf({ ...shape, noise, comparisons }, seed)),
    );
  });
}
