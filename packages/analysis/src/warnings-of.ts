// What a reader must know before trusting a number, found in the facts: few rounds, failed calls, cells that did not settle.
import type { RoundCount } from "./result.ts";
import { tooFewRounds } from "./round-warnings.ts";
import type { RunFacts, Warning } from "./run.ts";
import type { ArmTasks } from "./tasks-of.ts";
import { counted, listed } from "./words.ts";

/** `round 2`, `rounds 2 and 5`, as a user counts them. */
function roundsNamed(rounds: readonly number[]): string {
  const numbers = rounds.toSorted((one, other) => one - other).map((round) => String(round + 1));
  return `round${numbers.length === 1 ? "" : "s"} ${listed(numbers)}`;
}

/** Warm-up is per stack and round: all arms that its processes ran then are concerned. */
function unsettled({ warmUps, arms }: RunFacts): readonly Warning[] {
  return [...Map.groupBy(warmUps, (warmUp) => warmUp.stack)].flatMap(([stack, ofStack]) => {
    const cold = ofStack.filter((warmUp) => !warmUp.settled).map(({ round }) => round);
    if (cold.length === 0) return [];
    const ofIt = arms.filter((arm) => arm.stack === stack);
    const title = ofIt[0]?.title ?? stack;
    return [
      {
        code: "unsettled",
        message: `${title} had not settled when its warm-up was cut off in ${roundsNamed(cold)}: this concerns ${ofIt.length === 1 ? "its arm" : `all ${ofIt.length} of its arms`} in ${cold.length === 1 ? "that round" : "those rounds"}`,
      },
    ];
  });
}

/** So many arms without calls are named one by one; more are one warning. */
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

function ofTasks({ armId, ...done }: ArmTasks): readonly Warning[] {
  const warnings: Warning[] = [];
  if (done.failedCalls > 0) {
    const codes = [...done.failures].map(([code, count]) => `${count} × ${code}`).join(", ");
    warnings.push({
      code: "failed-calls",
      message: `${done.failedCalls} of ${counted(done.calls, "call")} failed (${codes}); ${counted(done.failedTasks, "task")} left out of latency`,
      armId,
    });
  }
  if (done.unfinishedTasks > 0) {
    warnings.push({
      code: "unfinished-tasks",
      message: `${counted(done.unfinishedTasks, "task")} without all calls left out of latency`,
      armId,
    });
  }
  return warnings;
}

/** What analysis adds to the runner's warnings. */
export function warningsOf(facts: RunFacts, tasks: readonly ArmTasks[], rounds: RoundCount): readonly Warning[] {
  return [...tooFewRounds(facts, rounds), ...unsettled(facts), ...neverCalled(tasks), ...tasks.flatMap(ofTasks)];
}

/** Warnings without the later of two that say the same about the same arm. */
export function withoutRepeats(warnings: readonly Warning[]): readonly Warning[] {
  return [
    ...new Map(
      warnings.map((warning) => [`${warning.code} ${warning.armId ?? ""} ${warning.message}`, warning]),
    ).values(),
  ];
}
