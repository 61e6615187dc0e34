// What a reader must know before trusting a number, found in the facts: few rounds, failed calls, cells that did not settle.
import type { RunFacts, Warning } from "./run.ts";
import type { ArmTasks } from "./tasks-of.ts";
import { minimumRounds } from "./two-level-bootstrap.ts";
import { counted } from "./words.ts";

function tooFewRounds(rounds: number): readonly Warning[] {
  if (rounds >= minimumRounds || rounds === 0) return [];
  return [
    {
      code: "too-few-rounds",
      message: `needs at least ${minimumRounds} rounds for a 95 % interval; this run has ${rounds}`,
    },
  ];
}

function unsettled({ warmUps, arms }: RunFacts): readonly Warning[] {
  return [...Map.groupBy(warmUps, (warmUp) => warmUp.stack)].flatMap(([stack, ofStack]) => {
    const cold = ofStack.filter((warmUp) => !warmUp.settled).length;
    if (cold === 0) return [];
    const title = arms.find((arm) => arm.stack === stack)?.title ?? stack;
    return [
      {
        code: "unsettled",
        message: `${title} had not settled at the end of warm-up in ${cold} of ${counted(ofStack.length, "round")}`,
      },
    ];
  });
}

function ofTasks({ armId, ...done }: ArmTasks): readonly Warning[] {
  const warnings: Warning[] = [];
  if (done.tasks === 0) warnings.push({ code: "no-samples", message: "no calls were recorded", armId });
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
export function warningsOf(facts: RunFacts, tasks: readonly ArmTasks[], rounds: number): readonly Warning[] {
  return [...tooFewRounds(rounds), ...unsettled(facts), ...tasks.flatMap(ofTasks)];
}

/** Warnings without the later of two that say the same about the same arm. */
export function withoutRepeats(warnings: readonly Warning[]): readonly Warning[] {
  return [
    ...new Map(
      warnings.map((warning) => [`${warning.code} ${warning.armId ?? ""} ${warning.message}`, warning]),
    ).values(),
  ];
}
