// How often intervals miss the truth, by simulation.
import { randomNormal } from "d3-random";
import { maxTIntervals } from "../src/statistics/simultaneous-intervals.ts";
import { randomFrom, type Random } from "../src/statistics/random.ts";
import { quantile, sortedCopy } from "../src/statistics/describe-samples.ts";
import { medianInterval } from "../src/metrics/summarise.ts";

export interface FamilyShape {
  readonly members: number;
  readonly rounds: number;
  /** Standard deviation of a member's round-level log ratio. */
  readonly stddevOf: (member: number) => number;
  /** Correlation of members of one round. */
  readonly correlation: number;
  /** Standard normal, or another distribution around 0. */
  readonly noise: (random: Random) => () => number;
}

export const normalNoise = (random: Random): (() => number) => randomNormal.source(random)(0, 1);

/** Share of families of equal arms in which at least one interval excludes "no difference"; 0.05 is promised. */
export function familyErrorRate(shape: FamilyShape, families: number, draws: number): number {
  const random = randomFrom(20_26, "coverage");
  const noise = shape.noise(random);
  let wrong = 0;
  for (let family = 0; family < families; family += 1) {
    const common = Array.from({ length: shape.rounds }, noise);
    const rows = Array.from({ length: shape.members }, (_, member) =>
      common.map(
        (shared) =>
          shape.stddevOf(member) * (Math.sqrt(shape.correlation) * shared + Math.sqrt(1 - shape.correlation) * noise()),
      ),
    );
    const intervals = maxTIntervals(rows, random, { totalDraws: draws });
    if (intervals.some((interval) => interval !== null && (interval.low > 0 || interval.high < 0))) wrong += 1;
  }
  return wrong / families;
}

/** Where the calls of a simulated arm come from. */
export interface MedianSource {
  readonly name: string;
  /** The level of one round, from a standard normal and a uniform number. */
  readonly level: (normal: () => number, random: Random) => number;
  /** Standard deviation of a block's own level. */
  readonly blockSpread: number;
  /** How far a call lies above its block, at most: calls are skewed to the right. */
  readonly callSpread: number;
}

export const medianSources: readonly MedianSource[] = [
  { name: "rounds alike", level: () => 100, blockSpread: 0, callSpread: 8 },
  { name: "rounds overlap", level: (normal) => 100 + 5 * normal(), blockSpread: 2, callSpread: 8 },
  { name: "rounds hardly overlap", level: (normal) => 100 + 10 * normal(), blockSpread: 2, callSpread: 1 },
  { name: "skewed rounds", level: (normal) => 100 * Math.exp(0.3 * normal()), blockSpread: 2, callSpread: 8 },
  {
    name: "a neighbour disturbs one round in seven",
    level: (normal, random) => 100 + 3 * normal() + (random() < 1 / 7 ? 60 : 0),
    blockSpread: 2,
    callSpread: 8,
  },
];

function callsOf(source: MedianSource, shape: { rounds: number; blocks: number; calls: number }, random: Random) {
  const normal = normalNoise(random);
  return Array.from({ length: shape.rounds }, () => {
    const level = source.level(normal, random);
    return Array.from({ length: shape.blocks }, () => {
      const block = level + source.blockSpread * normal();
      return Array.from({ length: shape.calls }, () => block + source.callSpread * Math.exp(0.7 * normal()));
    }).flat();
  });
}

/** Share of runs in which the interval of the median misses the true median of all calls; 0.05 is promised. */
export function medianMissRate(
  source: MedianSource,
  { rounds, blocks, runs }: { readonly rounds: number; readonly blocks: number; readonly runs: number },
): number {
  const random = randomFrom(20_26, `median coverage ${source.name}`);
  const truth = quantile(sortedCopy(callsOf(source, { rounds: 20_000, blocks: 1, calls: 5 }, random).flat()), 0.5);
  let missed = 0;
  for (let run = 0; run < runs; run += 1) {
    const values = callsOf(source, { rounds, blocks, calls: 40 }, random).map(sortedCopy);
    const all = sortedCopy(values.flatMap((round) => [...round]));
    const interval = medianInterval(all, values);
    if (interval === null || interval.low > truth || interval.high < truth) missed += 1;
  }
  return missed / runs;
}
