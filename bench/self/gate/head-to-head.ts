// Compares the gate with the rules of other tools on the same stored jobs.
import { gateDefaults, signGroup } from "@roundtrip/analysis/gate";
import { quickVerdict } from "./quick-verdict.ts";
import { benchstat } from "./rules-of-others/benchstat.ts";
import { fixedRatio, fixedRatioAcrossJobs } from "./rules-of-others/fixed-ratio.ts";
import type { OtherRule } from "./rules-of-others/stored-rounds.ts";
import { tachometer } from "./rules-of-others/tachometer.ts";
import { welchOnRequests } from "./rules-of-others/welch-on-requests.ts";
import { simulatedCells } from "./simulated-job.ts";
import { storedJob, type StoredJob } from "./stored-job.ts";

/** How much the machine moves both arms from round to round, in standard deviations of their paired log ratio. */
export const machines = [
  { name: "quiet machine", drift: 0.5 },
  { name: "noisy machine", drift: 6 },
] as const;

/** The injected change: one metric in both tasks of one stack, or nothing. */
export const injected = [
  { name: "nothing", metric: "", effect: 0 },
  { name: "+5 % server CPU", metric: "serverCpuMsPerTask", effect: 0.05 },
  { name: "+5 % latency", metric: "latencyMs", effect: 0.05 },
  { name: "+20 % latency", metric: "latencyMs", effect: 0.2 },
] as const;

const headToHeadJobs = 500;

export interface HeadToHeadRow {
  readonly rule: string;
  readonly machine: string;
  readonly injected: string;
  readonly jobs: number;
  /** Jobs with an alarm in a changed cell; without changes, in any cell. */
  readonly alarms: number;
  /** The median over jobs of the rounds until the last cell had its result. */
  readonly rounds: number;
}

interface Outcome {
  readonly alarms: readonly number[];
  readonly rounds: number;
}

type Judge = (job: StoredJob) => Outcome;

function byRule(rule: (job: StoredJob) => OtherRule): Judge {
  return (job) => {
    const outcomes = job.cells.map((cell) => rule(job).judge(cell));
    return {
      alarms: outcomes.flatMap(({ isAlarm }, cell) => (isAlarm ? [cell] : [])),
      rounds: Math.max(...outcomes.map(({ rounds }) => rounds)),
    };
  };
}

function judges(seed: number): readonly (readonly [string, Judge])[] {
  const planned = gateDefaults.looks.at(-1) ?? 0;
  const group = signGroup(gateDefaults.flips, planned, seed);
  const gate: Judge = ({ values }) => {
    const { worse, rounds } = quickVerdict(values.slice(0, planned), gateDefaults, group);
    return { alarms: worse, rounds };
  };
  const others = [benchstat, welchOnRequests, tachometer, fixedRatio];
  return [
    ["this gate, before confirmation", gate],
    ...others.map((rule) => [rule.name, byRule(() => rule)] as const),
    [fixedRatioAcrossJobs(1).name, byRule(({ earlier }) => fixedRatioAcrossJobs(earlier))],
  ];
}

/** The changed cells: both tasks of the first stack. */
function changedCells(metric: string): readonly number[] {
  const [first] = simulatedCells;
  return simulatedCells.flatMap((cell, index) =>
    cell.stack === first?.stack && cell.metric === metric ? [index] : [],
  );
}

function isHit(alarms: readonly number[], changed: readonly number[]): boolean {
  return changed.length === 0 ? alarms.length > 0 : alarms.some((cell) => changed.includes(cell));
}

export function headToHead(seed: number, onProgress: (text: string) => void): readonly HeadToHeadRow[] {
  return machines.flatMap(({ name: machine, drift }) =>
    injected.flatMap(({ name, metric, effect }) => {
      onProgress(`${machine}, ${name}`);
      const changed = changedCells(metric);
      const effects = simulatedCells.map((_, cell) => (changed.includes(cell) ? effect : 0));
      const jobs = Array.from({ length: headToHeadJobs }, (_, job) => storedJob(seed, job, effects, drift));
      return judges(seed).map(([rule, judge]) => {
        const outcomes = jobs.map(judge);
        const rounds = outcomes.map((outcome) => outcome.rounds).toSorted((one, other) => one - other);
        return {
          rule,
          machine,
          injected: name,
          jobs: jobs.length,
          alarms: outcomes.filter(({ alarms }) => isHit(alarms, changed)).length,
          rounds: rounds[Math.floor((rounds.length - 1) / 2)] ?? 0,
        };
      });
    }),
  );
}
