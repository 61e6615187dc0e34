// How many rounds a run completed, which cells it had no time for, and how to get what is missing, as text for every renderer.
import { isImported, keyOf, workFactors, type Arm, type RunFacts, type LeftOutCells } from "@roundtrip/runs";
import type { Warning } from "./warning.ts";
import { counted, listed } from "../basics/words.ts";
import { groupsOf } from "../comparison/stack-pairs.ts";
import { foreignStudy } from "../from-long-form.ts";
import { fewestRounds } from "../statistics/simultaneous-intervals.ts";
import { minimumRounds } from "../statistics/student-t.ts";

/** Less than this share of an arm's tasks … */
const fewShare = 0.001;
/** … must not make up more than this share of its mean. */
const mostShareOfMean = 0.2;

/** A warning where the few slowest tasks of an arm dominate its mean. @param sorted latencies of all its tasks, ascending */
export function fewSlowCalls({ id, callsPerTask }: Arm, sorted: Float64Array): readonly Warning[] {
  const total = sorted.reduce((sum, latencyMs) => sum + latencyMs, 0);
  let few = 0;
  let theirs = 0;
  while (few + 1 < fewShare * sorted.length && theirs <= mostShareOfMean * total) {
    few += 1;
    theirs += sorted[sorted.length - few] ?? 0;
  }
  if (theirs <= mostShareOfMean * total) return [];
  const noun = callsPerTask === 1 ? "call" : "task";
  const of = `the slowest ${few === 1 ? noun : counted(few, noun)} of ${sorted.length.toLocaleString("en-US")}`;
  const message = `${of} ${few === 1 ? "makes" : "make"} ${Math.round((100 * theirs) / total)} % of the mean latency: the median is the better figure`;
  return [{ code: "few-slow-calls", message, armId: id }];
}

/** An incomplete round was cut short. Its measurements count; arms that it did not reach have none in it. */
export interface RoundCount {
  readonly planned: number;
  readonly complete: number;
  /** Rounds with any measurement, including complete ones. */
  readonly begun: number;
}

/** `6 rounds`, `2 of 6 rounds`, `2 of 6 rounds and part of another`, `part of the first of 6 rounds`. */
export function roundsText({ planned, complete, begun }: RoundCount): string {
  if (complete === 0 && begun > 0) return `part of the first of ${counted(planned, "round")}`;
  const whole = complete >= planned ? counted(complete, "round") : `${complete} of ${counted(planned, "round")}`;
  return begun > complete ? `${whole} and part of another` : whole;
}

/** Seconds that `rounds` would take at this run's speed, plus a tenth, in multiples of ten; undefined without a complete round. */
function secondsFor(rounds: number, { durationMs }: RunFacts, { complete }: RoundCount): number | undefined {
  return complete === 0 ? undefined : Math.ceil((1.1 * rounds * durationMs) / complete / 10_000) * 10;
}

function nextStep(facts: RunFacts, rounds: RoundCount): string {
  if (facts.arms.some(({ study }) => study === foreignStudy)) {
    return `name at least ${minimumRounds} rounds of samples`;
  }
  if (isImported(facts)) {
    return `run ${counted(minimumRounds - rounds.complete, "more round")} of the export, and import the results of all of them at once`;
  }
  const wanted = Math.max(minimumRounds, rounds.planned);
  const needed = secondsFor(wanted, facts, rounds);
  const flags = [
    ...(rounds.planned < minimumRounds ? [`--rounds ${minimumRounds}`] : []),
    ...(needed !== undefined && facts.timeLimitMs !== undefined ? [`--budget ${needed}s`] : []),
  ];
  const about = needed === undefined ? "" : ` (about ${needed} s)`;
  if (flags.length > 0) return `run again with ${flags.join(" ")}`;
  return facts.status === "complete" ? "run again" : `run again to the end${about}`;
}

/** A warning when rounds are missing because there was no time for them. */
export function missingRounds(facts: RunFacts, { planned, complete }: RoundCount): readonly Warning[] {
  const { timeLimitMs } = facts;
  if (timeLimitMs === undefined || complete >= planned) return [];
  const message = `there was time for ${complete} of ${counted(planned, "round")} in ${timeLimitMs / 1000} s`;
  return [{ code: "budget", message }];
}

/** A warning when the complete rounds are too few for all intervals; none for a run without measurements. */
export function tooFewRounds(facts: RunFacts, rounds: RoundCount): readonly Warning[] {
  if (rounds.complete >= minimumRounds || rounds.begun === 0) return [];
  const isRatioKnown = rounds.complete >= fewestRounds;
  const means =
    "95 % intervals of ratios " +
    (isRatioKnown ? "assume normal noise" : `need at least ${fewestRounds} complete rounds`);
  const others = `others need ${minimumRounds}${isRatioKnown ? " complete rounds" : ""}`;
  return [
    {
      code: isRatioKnown ? "few-rounds" : "too-few-rounds",
      message: `this run has ${roundsText(rounds)}: ${means}, ${others}; ${nextStep(facts, rounds)}`,
    },
  ];
}

const tolerance = 1.1;

/** From this share of its calls on, a round is as good as whole: an interval is at most an eighth wider. */
const enoughCalls = 0.8;

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function cellsOf(arms: readonly Arm[], study: string, task: string): number {
  const ofTask = arms.filter((arm) => arm.study === study && arm.task === task);
  return new Set(ofTask.map((arm) => `${arm.variant} ${keyOf(workFactors(arm))}`)).size;
}

/** `10 of 14 of read and all 12 of write`. */
function cellsText({ cells }: LeftOutCells, arms: readonly Arm[]): string {
  const texts = groupsOf(cells, ({ study, task }) => `${study} ${task}`).map((ofTask) => {
    const [{ study, task }] = ofTask;
    const kept = cellsOf(arms, study, task);
    const out = ofTask.length;
    return `${kept === 0 ? "all " : ""}${out}${kept === 0 ? "" : ` of ${kept + out}`} of ${task}`;
  });
  return listed(texts);
}

/** What was left out, as clauses: `left out on all stacks: 10 of 14 of read`; may be empty. */
function clausesOf(
  leftOut: LeftOutCells,
  { arms, durationMs }: Pick<RunFacts, "arms" | "durationMs">,
): readonly string[] {
  const { cells, shareOfCalls, withinMs } = leftOut;
  const share = Math.round(100 * shareOfCalls);
  return [
    ...(cells.length === 0 ? [] : [`left out on all stacks: ${cellsText(leftOut, arms)}`]),
    ...(shareOfCalls >= enoughCalls ? [] : [`every round made ${share} % of the calls`]),
    ...(durationMs > tolerance * withinMs ? [`the run still took ${seconds(durationMs)}`] : []),
  ];
}

export function leftOutWarning(facts: Pick<RunFacts, "arms" | "durationMs" | "leftOut">): readonly Warning[] {
  const { leftOut } = facts;
  if (leftOut === undefined) return [];
  const clauses = clausesOf(leftOut, facts);
  if (clauses.length === 0) return [];
  // Reports of one screen print what stands before the colon.
  const what = leftOut.cells.length === 0 ? "all calls" : `${counted(leftOut.cells.length, "variant")} of tasks`;
  const budget = `--budget ${Math.round(leftOut.budgetMs / 1000)}s measures everything`;
  const start = `there was no time for ${what} in ${seconds(leftOut.withinMs)} (${budget})`;
  return [{ code: "no-time", message: `${start}: ${clauses.join("; ")}` }];
}
