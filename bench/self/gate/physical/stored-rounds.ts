// Rounds of equal versions, measured on a real machine, from which jobs with a known truth are assembled.
import type { Random } from "@roundtrip/analysis/statistics";
import type { PhysicalJob } from "./physical-job.ts";

/** `[r][c]`: log ratios of one job; NaN if a round has no values for a cell. */
export type Rounds = readonly (readonly number[])[];

interface RoundCell {
  readonly stack: string;
  readonly task: string;
  readonly metric: string;
}

/** Jobs that measured the same cells under the same conditions. */
export interface Pool {
  /** One stack, or `all stacks`. */
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly cells: readonly RoundCell[];
  readonly jobs: readonly Rounds[];
}

/** Fewer rounds do not show how they vary. */
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

/** How a job is assembled. Equal versions are exchangeable: signs may flip for each round, or for each job. */
export const assemblies = ["whole rounds", "whole jobs"] as const;

export type Assembly = (typeof assemblies)[number];

function oneOf<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("there is nothing to draw from");
  return value;
}

function signed(round: readonly number[], sign: number): readonly number[] {
  return round.map((value) => sign * value);
}

/**
 * This many rounds, drawn with replacement. With `whole rounds` each round has a random sign, and their order is lost. With `whole jobs` the rounds
 * of a job stay in order and share one sign, which keeps effects that last longer than a round.
 */
export function drawRounds({ jobs }: Pool, assembly: Assembly, count: number, random: Random): Rounds {
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  if (assembly === "whole rounds") {
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
