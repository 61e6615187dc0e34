// Simulates jobs from their first round to their verdict, and counts the results.
import {
  confirm,
  confirmationRounds,
  gateDefaults,
  repeatedIntervals,
  signGroup,
  type GateState,
} from "@roundtrip/analysis/gate";
import { quickVerdict } from "./quick-verdict.ts";
import { randomFrom, type Interval } from "@roundtrip/analysis/statistics";
import { noises } from "./noises.ts";
import { simulatedCells, simulatedValues } from "./simulated-job.ts";

export interface JobsAsked {
  readonly noise: string;
  /** The true slowdown of each simulated cell. */
  readonly effects: readonly number[];
  /** The number of the first job. With the seed, it determines all random choices of the job. */
  readonly from: number;
  readonly jobs: number;
  readonly seed: number;
  /** Whether to check the intervals of every job, which takes ten times as long. */
  readonly withIntervals: boolean;
}

export interface JobTally {
  readonly jobs: number;
  /** Jobs that failed at any look. */
  readonly failed: number;
  /** Failed jobs that fresh rounds confirmed: these would block a change. */
  readonly blocked: number;
  /** Blocked jobs in which all named cells are within the tolerated slowdown. */
  readonly misnamed: number;
  readonly passed: number;
  /** Jobs by the number of rounds after which they ended, without confirmation. */
  readonly endedAfter: Readonly<Record<number, number>>;
  /** Jobs whose intervals all contained the true value at the end; 0 without interval checks. */
  readonly covered: number;
}

const settings = gateDefaults;
/** As in a comparison, a job no longer measures a stack that has passed. */
const stacks = simulatedCells.map(({ stack }) => stack);
const planned = settings.looks.at(-1) ?? 0;

function holdTruth(intervals: readonly Interval[], effects: readonly number[]): boolean {
  return intervals.every(({ low, high }, cell) => {
    const truth = Math.log1p(effects[cell] ?? 0);
    return low <= truth && truth <= high;
  });
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Runs the jobs one after the other. The same request gives the same tally. */
export function simulateJobs({ noise: name, effects, from, jobs, seed, withIntervals }: JobsAsked): JobTally {
  const noise = noises.find((kind) => kind.name === name);
  if (noise === undefined) throw new Error(`there is no noise ${name}`);
  // Jobs of different requests use different sign groups, so that no property of one group looks like one of the gate.
  const own = { ...settings, seed: seed + from };
  const group = signGroup(own.flips, planned, own.seed);
  const ended: Record<GateState, number> = { fail: 0, pass: 0, inconclusive: 0, undecided: 0 };
  const endedAfter: Record<number, number> = {};
  let blocked = 0;
  let misnamed = 0;
  let covered = 0;
  for (let job = from; job < from + jobs; job += 1) {
    const source = noise.from(randomFrom(seed, `${name} ${effects.join(" ")} ${job}`));
    const values = simulatedValues(source, planned, simulatedCells, effects);
    const { state, rounds, worse } = quickVerdict(values, own, group, stacks);
    ended[state] += 1;
    endedAfter[rounds] = (endedAfter[rounds] ?? 0) + 1;
    if (withIntervals && holdTruth(repeatedIntervals(values.slice(0, rounds), own, group), effects)) covered += 1;
    if (state !== "fail") continue;
    const cells = worse.flatMap((cell) => simulatedCells[cell] ?? []);
    const truths = worse.map((cell) => effects[cell] ?? 0);
    const noiseSeen = worse.map((cell) => ({
      state: "worse" as const,
      deviation: deviationOf(values.slice(0, rounds).map((round) => round[cell] ?? Number.NaN)),
    }));
    const again = simulatedValues(source, confirmationRounds({ cells: noiseSeen }, own), cells, truths);
    const { isConfirmed, cells: confirmed } = confirm({ cells, values: again }, own);
    if (!isConfirmed) continue;
    blocked += 1;
    if (confirmed.every((cell, index) => !cell.isConfirmed || (truths[index] ?? 0) <= own.tolerate)) misnamed += 1;
  }
  return {
    jobs,
    failed: ended.fail,
    blocked,
    misnamed,
    passed: ended.pass,
    endedAfter,
    covered,
  };
}
