// A stored job: log ratios for the gate and, for rules that do not pair, the values of each arm in each round.
import { randomFrom } from "@roundtrip/analysis/statistics";
import { normalSource } from "./normal-source.ts";
import { noises } from "./noises.ts";
import type { ArmRound, StoredRounds } from "./rules-of-others/stored-rounds.ts";
import { simulatedCells, simulatedValues } from "./simulated-job.ts";

/** More than the gate plans, for rules that continue until they decide. */
const storedRounds = 120;

/** Requests of one arm in one round, and their coefficient of variation. */
const requests = 2_000;
const withinRound = 0.3;

/** The standard deviation of the logarithm of a program's figures between jobs, from a public measurement. */
const betweenJobs = 0.26;

export interface StoredJob {
  readonly values: readonly (readonly number[])[];
  readonly cells: readonly StoredRounds[];
  /** The factor on the figures of an earlier job. */
  readonly earlier: number;
}

function requestsAround(mean: number): ArmRound {
  return { mean, variance: (withinRound * mean) ** 2, count: requests };
}

/**
 * @param drift how much a round moves both arms alike, in standard deviations of their paired log ratio. At 0.5 the arms are nearly independent. On
 * the noisy machine with two cores, where the paired deviation was 3 %, unpaired log ratios had 26 %: both arms moved by six times 3 % from round to
 * round.
 */
export function storedJob(seed: number, job: number, effects: readonly number[], drift: number): StoredJob {
  const random = randomFrom(seed, `stored job ${job} ${effects.join(" ")} ${drift}`);
  const normal = normalSource(random);
  const noise = noises.find(({ name }) => name === "normal")?.from(random);
  if (noise === undefined) throw new Error("there is no normal noise");
  const values = simulatedValues(noise, storedRounds, simulatedCells, effects);
  const moves = values.map(() => normal());
  const cells = simulatedCells.map(({ deviation }, cell) => {
    const arm = (half: number): readonly ArmRound[] =>
      values.map((round, index) => {
        const own = half * (round[cell] ?? Number.NaN);
        return requestsAround(Math.exp(drift * deviation * (moves[index] ?? Number.NaN) + own));
      });
    return { base: arm(-0.5), head: arm(0.5) };
  });
  return { values, cells, earlier: Math.exp(betweenJobs * normal()) };
}
