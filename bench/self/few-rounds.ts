// How often intervals of ratios from a few rounds miss the truth, in the kinds of noise that the gate is held against.
import { randomFrom, simultaneousIntervals } from "@roundtrip/analysis/statistics";
import { noises, type NoiseSource } from "./gate/noises.ts";

interface TableShape {
  /** The name of a kind of noise. */
  readonly noise: string;
  readonly rounds: number;
  /** Comparisons in a table, whose intervals are to hold together. */
  readonly comparisons: number;
  /** Simulated tables. */
  readonly tables: number;
}

export interface CoverageRow extends TableShape {
  /** Tables of which at least one interval missed the truth. */
  readonly missed: number;
  /** Mean half-width of an interval, in standard deviations of a round's log ratio. */
  readonly halfWidth: number;
}

/** Promised of a whole table. */
export const mostMissed = 0.05;

/** Student's t is quick to compute, max-T is not. */
const shapes = [
  { rounds: 3, tables: 10_000 },
  { rounds: 4, tables: 10_000 },
  { rounds: 5, tables: 10_000 },
  { rounds: 6, tables: 2_000 },
] as const;

const tableSizes = [1, 3, 6] as const;

/** The fewest draws that max-T makes for a critical value: its error is small beside that of the tables' number. */
const drawsOfMaxT = 2_000;

/** Comparisons that share arms share noise: half of it, by variance. A single one has the pure noise of its kind. */
function simulatedTable(noise: NoiseSource, rounds: number, comparisons: number): readonly (readonly number[])[] {
  if (comparisons === 1) return [[...noise(rounds)]];
  const common = noise(rounds);
  return Array.from({ length: comparisons }, () =>
    Array.from(noise(rounds), (own, round) => Math.SQRT1_2 * (own + (common[round] ?? 0))),
  );
}

/** Simulates `tables` tables of one kind of noise; the same seed gives the same row. Throws an Error for a kind that does not exist. */
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

/** All kinds of noise, from three rounds to six; the same seed gives the same rows. A minute. */
export function coverageRows(seed: number, onProgress: (text: string) => void): readonly CoverageRow[] {
  return noises.flatMap(({ name: noise }) => {
    onProgress(noise);
    return tableSizes.flatMap((comparisons) =>
      shapes.map((shape) => coverageOf({ ...shape, noise, comparisons }, seed)),
    );
  });
}
