// What a reader must know before trusting a figure: few rounds, failed calls, stacks that did not settle or drift.
import {
  configurationKey,
  configurationOf,
  idsFromName,
  stackAsSet,
  type RunFacts,
  type StackAsSet,
} from "@roundtrip/runs";
import type { Warning } from "./warning.ts";
import { counted, listed } from "../basics/words.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import type { RoundDrift } from "./round-drift.ts";
import { leftOutWarning, missingRounds, tooFewRounds, type RoundCount } from "./round-warnings.ts";

export interface UnsettledStack extends StackAsSet {
  /** Rounds whose warm-up ended with this trend, 0-based and ascending. */
  readonly rounds: readonly number[];
  /** Number of rounds with a warm-up. */
  readonly of: number;
}

/** Stacks whose times still fell when their warm-up ended, or for which noise hid it, in the order of the run. Warm-up is per round and configuration, so it concerns all arms that those processes ran. */
export function unsettledStacks(
  { warmUps, arms }: Pick<RunFacts, "warmUps" | "arms">,
  wanted: "falling" | "hidden" = "falling",
): readonly UnsettledStack[] {
  return [...Map.groupBy(warmUps, configurationKey)].flatMap(([configuration, ofStack]) => {
    // With several networks a stack has several pairs of processes per round: one that was cut off marks it.
    const cold = [...new Set(ofStack.filter(({ trend }) => trend === wanted).map(({ round }) => round))];
    if (cold.length === 0) return [];
    const arm = arms.find((one) => configurationOf(one) === configuration);
    const { stack = "", settings = {} } = ofStack[0] ?? {};
    return {
      ...(arm === undefined ? { ...idsFromName(stack), title: stack, stackTitle: stack, settings } : stackAsSet(arm)),
      rounds: cold.toSorted((one, other) => one - other),
      of: new Set(ofStack.map(({ round }) => round)).size,
    };
  });
}

/** `round 2`, `rounds 2 and 5`, 1-based, or `every round`. */
function roundsNamed(rounds: readonly number[], count: number): string {
  if (rounds.length === count && count > 1) return "every round";
  const numbers = rounds.map((round) => String(round + 1));
  return `round${numbers.length === 1 ? "" : "s"} ${listed(numbers)}`;
}

function unsettledWarnings(
  stacks: readonly UnsettledStack[],
  { arms, warmUps }: Pick<RunFacts, "arms" | "warmUps">,
): readonly Warning[] {
  const allRounds = new Set(warmUps.map(({ round }) => round)).size;
  return stacks.map((one) => {
    const { title, rounds } = one;
    const count = arms.filter((arm) => configurationOf(arm) === configurationOf(one)).length;
    const when = roundsNamed(rounds, allRounds);
    const concerned = count === 1 ? "its arm" : `all ${count} of its arms`;
    return {
      code: "unsettled",
      message: `${title} had not settled when its warm-up was cut off in ${when}: this concerns ${concerned}`,
    };
  });
}

/** One warning for all stacks, because noise is the machine's. */
function hiddenTrends(facts: Pick<RunFacts, "arms" | "warmUps">): readonly Warning[] {
  const texts = unsettledStacks(facts, "hidden").map(
    ({ title, rounds, of }) => `${title} in ${rounds.length} of ${counted(of, "round")}`,
  );
  const message = `noise or too few calls hid whether times had settled when the warm-up ended: ${listed(texts)}`;
  return texts.length === 0 ? [] : [{ code: "warm-up-hidden", message }];
}

/** Of stacks that had not settled, and of those that may not have. */
export function warmUpWarnings(facts: Pick<RunFacts, "arms" | "warmUps">): readonly Warning[] {
  return [...unsettledWarnings(unsettledStacks(facts), facts), ...hiddenTrends(facts)];
}

/** Warns when the latency of a stack clearly changes by more from the first block of a round to the last. */
const driftTolerance = 0.05;

function percent(share: number): string {
  return `${Math.round(Math.abs(share) * 100)} %`;
}

/** `fell by 21 % over gRPC (95 % interval 13 to 29 %)`. */
function driftText({ title, ratio, low, high }: RoundDrift): string {
  const ends = [1 - (low ?? 1), 1 - (high ?? 1)].map((share) => Math.round(Math.abs(share) * 100));
  const [least, most] = ends.toSorted((one, other) => one - other);
  return `${ratio < 1 ? "fell" : "rose"} by ${percent(1 - ratio)} over ${title} (95 % interval ${least} to ${most} %)`;
}

/** Latency that drifts within rounds, and its effect on ratios. */
function drifting(drifts: readonly RoundDrift[]): readonly Warning[] {
  const clear = drifts.filter(
    ({ ratio, low, high }) =>
      low !== null && high !== null && (low > 1 || high < 1) && Math.abs(ratio - 1) > driftTolerance,
  );
  if (clear.length === 0) return [];
  const ratios = drifts.map(({ ratio }) => ratio);
  const why = clear.every(({ ratio }) => ratio < 1)
    ? "warm-up had not come to its end"
    : "the processes or the machine changed meanwhile";
  const off = Math.sqrt(Math.max(...ratios) / Math.min(...ratios)) - 1;
  return [
    {
      code: "drift",
      message:
        `from the first block of a round to the last, latency ${listed(clear.map(driftText))}: ${why}. ` +
        "The random order of blocks spreads this over all arms of a stack alike, and the variants of a task run next to each other; " +
        `ratios between stacks may be off by about half the difference of their drifts, here up to ${percent(off)}`,
    },
  ];
}

const fewArms = 3;

function neverCalled(tasks: readonly ArmTasks[]): readonly Warning[] {
  const without = tasks.filter((done) => done.tasks === 0);
  const code = "no-samples";
  if (without.length <= fewArms) {
    return without.map(({ armId }) => ({ code, message: "no calls were recorded", armId }));
  }
  const of = `${without.length} of ${counted(tasks.length, "arm")}`;
  return [{ code, message: `no calls were recorded of ${of}: tables and pictures lack them` }];
}

function sumOf(tasks: readonly ArmTasks[], field: "calls" | "failedCalls" | "failedTasks"): number {
  return tasks.reduce((sum, done) => sum + done[field], 0);
}

/** `12 × UNAVAILABLE, 3 × RESOURCE_EXHAUSTED`. */
function codesText(tasks: readonly ArmTasks[]): string {
  const counts = new Map<string, number>();
  for (const [code, count] of tasks.flatMap(({ failures }) => [...failures])) {
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const ordered = [...counts].toSorted(([, one], [, other]) => other - one);
  return ordered.map(([code, count]) => `${count} × ${code}`).join(", ");
}

function failedText(tasks: readonly ArmTasks[], of: string): string {
  const calls = `${sumOf(tasks, "failedCalls")} of ${counted(sumOf(tasks, "calls"), "call")}${of}`;
  return `${calls} failed (${codesText(tasks)}); ${counted(sumOf(tasks, "failedTasks"), "task")} left out of latency`;
}

/** One warning each for a few arms. Many arms share one, since a table lists them. */
function failedCalls(tasks: readonly ArmTasks[]): readonly Warning[] {
  const failed = tasks.filter((done) => done.failedCalls > 0);
  const code = "failed-calls";
  if (failed.length > fewArms) return [{ code, message: failedText(failed, ` of ${counted(failed.length, "arm")}`) }];
  return failed.map((done) => ({ code, message: failedText([done], ""), armId: done.armId }));
}

function unfinished({ armId, unfinishedTasks }: ArmTasks): readonly Warning[] {
  if (unfinishedTasks === 0) return [];
  const message = `${counted(unfinishedTasks, "task")} without all calls left out of latency`;
  return [{ code: "unfinished-tasks", message, armId }];
}

interface RunQuality {
  readonly rounds: RoundCount;
  readonly drifts: readonly RoundDrift[];
}

export function warningsOf(facts: RunFacts, tasks: readonly ArmTasks[], found: RunQuality): readonly Warning[] {
  return [
    ...missingRounds(facts, found.rounds),
    ...leftOutWarning(facts),
    ...tooFewRounds(facts, found.rounds),
    ...warmUpWarnings(facts),
    ...drifting(found.drifts),
    ...neverCalled(tasks),
    ...failedCalls(tasks),
    ...tasks.flatMap(unfinished),
  ];
}

/** Reported once per stack. Two stacks may have the same name, so equal texts are no repeats. */
const codesOfStacks: ReadonlySet<string> = new Set(["unsettled", "void", "late-tail", "compared-apart"]);

/** Removes repeated warnings about the same arm. */
export function withoutRepeats(warnings: readonly Warning[]): readonly Warning[] {
  const keyed = warnings.map((warning, index) => {
    const { code, message, armId = "" } = warning;
    return [codesOfStacks.has(code) ? String(index) : `${code} ${armId} ${message}`, warning] as const;
  });
  return [...new Map(keyed).values()];
}
