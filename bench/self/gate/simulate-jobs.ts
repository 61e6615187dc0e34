// Simulated jobs from their first round to their verdict, counted.
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
  /** The name of a kind of noise. */
  readonly noise: string;
  /** How much slower each of the simulated cells truly is. */
  readonly effects: readonly number[];
  /** The number of the first job: with the seed it says what happens in it. */
  readonly from: number;
  readonly jobs: number;
  readonly seed: number;
  /** Whether to look at the intervals of every job, which takes ten times as long. */
  readonly withIntervals: boolean;
}

export interface JobTally {
  readonly jobs: number;
  /** Jobs that any look failed. */
  readonly failed: number;
  /** Of these, the ones that fresh rounds confirmed: they block somebody. */
  readonly blocked: number;
  /** Blocked jobs that named no cell but ones that are not beyond what is tolerated. */
  readonly misnamed: number;
  readonly passed: number;
  /** Jobs that ended after so many rounds, confirmation not counted. */
  readonly endedAfter: Readonly<Record<number, number>>;
  /** Jobs whose intervals all held the truth when the job ended; 0 where nobody looked. */
  readonly covered: number;
}

const settings = gateDefaults;
/** As a comparison does, a job measures no stack any further that has passed. */
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
  // Jobs of different requests flip by different groups, so that no property of one group is taken for one of the gate.
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
