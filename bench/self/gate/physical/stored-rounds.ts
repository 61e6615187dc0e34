// Rounds of equal versions, as they were measured on a real machine: what jobs can be put together from whose truth is known.
import type { Random } from "@roundtrip/analysis/statistics";
import type { PhysicalJob } from "./physical-job.ts";

/** `[r][c]`: log ratios of one job; NaN where a round gave a cell nothing. */
export type Rounds = readonly (readonly number[])[];

interface RoundCell {
  readonly stack: string;
  readonly task: string;
  readonly metric: string;
}

/** Jobs that measured the same cells under the same circumstances. */
export interface Pool {
  /** One stack, or `all stacks`. */
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly cells: readonly RoundCell[];
  readonly jobs: readonly Rounds[];
}

/** Fewer say nothing of how rounds scatter. */
const fewestRounds = 16;

function roundsOf({ logRatios }: PhysicalJob): Rounds {
  return logRatios.map((row) => row.map((value) => value ?? Number.NaN));
}

export function poolsOf(jobs: readonly PhysicalJob[]): readonly Pool[] {
  const equal = jobs.filter(({ kind, logRatios }) => kind === "null" && logRatios.length > 0);
  const groups = Map.groupBy(equal, ({ isWhole, stack, hasNeighbour }) =>
    JSON.stringify([isWhole ? "all stacks" : stack, hasNeighbour]),
  );
  return [...groups.values()]
    .flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const { isWhole, stack, hasNeighbour, cells } = first;
      return [{ over: isWhole ? "all stacks" : stack, hasNeighbour, cells, jobs: some.map(roundsOf) }];
    })
    .filter(({ jobs: some }) => some.flat().length >= fewestRounds)
    .toSorted((one, other) => Number(one.hasNeighbour) - Number(other.hasNeighbour));
}

/** How a job is put together; equal versions could have changed places in each round, and in each job. */
export const ways = ["whole rounds", "whole jobs"] as const;

export type Way = (typeof ways)[number];

function oneOf<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("there is nothing to draw from");
  return value;
}

function signed(round: readonly number[], sign: number): readonly number[] {
  return round.map((value) => sign * value);
}

/**
 * So many rounds, drawn with replacement. By `whole rounds` each has a sign of its own, and nothing of their order is left; by `whole jobs` rounds follow
 * each other as they did, all of a job with one sign: what stays for longer than a round stays here.
 */
export function drawRounds({ jobs }: Pool, way: Way, count: number, random: Random): Rounds {
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  if (way === "whole rounds") {
    const all = jobs.flat();
    return Array.from({ length: count }, () => signed(oneOf(all, random), sign()));
  }
  const drawn: (readonly number[])[] = [];
  while (drawn.length < count) {
    const own = sign();
    drawn.push(...oneOf(jobs, random).map((round) => signed(round, own)));
  }
  return drawn.slice(0, count);
}
