// Compares the gate with the rules of other tools on the same physical jobs.
import { benchstat } from "../rules-of-others/benchstat.ts";
import { fixedRatio } from "../rules-of-others/fixed-ratio.ts";
import type { OtherRule } from "../rules-of-others/stored-rounds.ts";
import { tachometer } from "../rules-of-others/tachometer.ts";
import { welchOnRequests } from "../rules-of-others/welch-on-requests.ts";
import { cellRounds } from "./arm-rounds.ts";
import type { PhysicalJob } from "./physical-job.ts";

export interface RuleOnJobs {
  readonly rule: string;
  /** Jobs of equal versions. */
  readonly equal: number;
  /** Of these, with an alarm in any row. */
  readonly falseAlarms: number;
  /** Jobs with 5 % more server CPU on one stack. */
  readonly changed: number;
  /** Of these, with an alarm in a row of that stack. */
  readonly found: number;
}

type Alarms = (job: PhysicalJob) => readonly number[];

function byRule(rule: OtherRule): Alarms {
  return ({ armRounds, cells }) =>
    cells.flatMap((_, cell) => (rule.judge(cellRounds(armRounds, cell)).isAlarm ? [cell] : []));
}

/** The verdict of the gate before confirmation: the cells that it measured again were worse. */
const gate: Alarms = ({ confirmation }) => confirmation?.cells ?? [];

const confirmed: Alarms = ({ verdict, confirmation }) => (verdict === "fail" ? (confirmation?.cells ?? []) : []);

const rules: readonly (readonly [string, Alarms])[] = [
  ["this gate", confirmed],
  ["this gate, before confirmation", gate],
  ...[benchstat, welchOnRequests, tachometer, fixedRatio].map((rule) => [rule.name, byRule(rule)] as const),
];

const change = "server CPU +5 %";

/** A rule that needs more rounds than a job has gets all of them. */
export function physicalHeadToHead(jobs: readonly PhysicalJob[]): readonly RuleOnJobs[] {
  const recorded = jobs.filter(({ armRounds }) => armRounds.length > 0);
  const equal = recorded.filter(({ kind }) => kind === "null");
  const changed = recorded.filter((job) => job.change === change);
  return rules.map(([rule, alarms]) => ({
    rule,
    equal: equal.length,
    falseAlarms: equal.filter((job) => alarms(job).length > 0).length,
    changed: changed.length,
    found: changed.filter((job) => alarms(job).some((cell) => job.cells[cell]?.stack === job.stack)).length,
  }));
}
