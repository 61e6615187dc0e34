// How often the intervals of a mean and of a ratio from six rounds contain the truth, in twelve noise scenarios.
import {
  pairedLogRatios,
  randomFrom,
  tInterval,
  type Interval,
  type ValuesByRound,
} from "@roundtrip/analysis/statistics";
import { noises, normalSource, type NoiseSource } from "../../self/gate/simulate.ts";
import { mean } from "../../self/measure.ts";

/** A kind of noise between rounds, and whether a round has one block of an arm or five. */
export interface Scenario {
  readonly noise: string;
  readonly blocks: number;
}

export interface CoverageRow extends Scenario {
  readonly runs: number;
  /** Runs whose interval contains the true mean, by Student's t on the means of rounds. */
  readonly mean: number;
  /** Runs whose interval contains the true ratio, by Student's t on the log ratios of rounds. */
  readonly ratio: number;
}

export const scenarios: readonly Scenario[] = noises.flatMap(({ name }) =>
  [1, 5].map((blocks) => ({ noise: name, blocks })),
);

/** Rounds of these resemble each other; no interval from six rounds can know that. */
export const dependent = "autocorrelated";

const rounds = 6;

/** Standard deviations of the logarithms: of a round's level, and of a block in its round. */
const levelSpread = 0.1;
const blockSpread = 0.05;

/** The levels of one arm's rounds, of which two arms of a round share a half, by variance. */
function levelsOf(common: Float64Array, noise: NoiseSource): Float64Array {
  return Float64Array.from(noise(common.length), (own, round) =>
    Math.exp(levelSpread * Math.SQRT1_2 * (own + (common[round] ?? 0))),
  );
}

function blocksOf(levels: Float64Array, blocks: number, normal: () => number): ValuesByRound {
  return [...levels].map((level) => Array.from({ length: blocks }, () => level * Math.exp(blockSpread * normal())));
}

function byTurn(values: ValuesByRound): readonly ReadonlyMap<number, number>[] {
  return values.map((blocks) => new Map(blocks.entries()));
}

/** The true mean of an arm, from so many rounds that its error is far below an interval's width. */
function trueMean(noise: NoiseSource): number {
  const levels = Array.from({ length: 40_000 }, () => levelsOf(noise(rounds), noise)).flatMap((run) => [...run]);
  // The mean of a lognormal block around its round's level.
  return mean(levels) * Math.exp(blockSpread ** 2 / 2);
}

function contains({ low, high }: Interval, truth: number): boolean {
  return low <= truth && truth <= high;
}

/** Simulates `runs` runs of two equal arms; the same seed gives the same row. Throws an Error for an unknown kind of noise. */
export function coverageOf({ noise: name, blocks }: Scenario, runs: number, seed: number): CoverageRow {
  const kind = noises.find((candidate) => candidate.name === name);
  if (kind === undefined) throw new Error(`unknown noise: ${name}`);
  const random = randomFrom(seed, `estimators ${name} ${blocks}`);
  const noise = kind.from(random);
  const normal = normalSource(random);
  const truth = trueMean(noise);
  const counts = { mean: 0, ratio: 0 };
  for (let run = 0; run < runs; run += 1) {
    const common = noise(rounds);
    const [first, second] = [0, 1].map(() => blocksOf(levelsOf(common, noise), blocks, normal)) as [
      ValuesByRound,
      ValuesByRound,
    ];
    const ofMean = tInterval(first.map((ofRound) => mean(ofRound))) as Interval;
    const ofRatio = tInterval(pairedLogRatios(byTurn(first), byTurn(second)).logRatios) as Interval;
    counts.mean += Number(contains(ofMean, truth));
    counts.ratio += Number(contains(ofRatio, 0));
  }
  return { noise: name, blocks, runs, ...counts };
}
