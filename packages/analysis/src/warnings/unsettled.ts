// Which stacks were measured in rounds in which their warm-up had been cut off: their figures are marked wherever they are shown.
import { configurationKey, configurationOf, stackAsSet } from "../run/arm-factors.ts";
import type { RunFacts } from "../run/run-facts.ts";
import { namedAlone, type StackAsSet } from "../run/stack-ids.ts";

/** A stack whose warm-up was cut off before its numbers settled. */
export interface UnsettledStack extends StackAsSet {
  /** The rounds in which it was, 0-based and ascending. */
  readonly rounds: readonly number[];
  /** Rounds in which it was warmed up at all. */
  readonly of: number;
}

/** In the order in which the run names them; warm-up is per round and stack, as it is set, so all arms that its processes ran then are concerned. */
export function unsettledStacks({ warmUps, arms }: Pick<RunFacts, "warmUps" | "arms">): readonly UnsettledStack[] {
  return [...Map.groupBy(warmUps, configurationKey)].flatMap(([configuration, ofStack]) => {
    // Over several networks a stack has several pairs of processes in a round: one that was cut off marks it.
    const cold = [...new Set(ofStack.filter((warmUp) => !warmUp.settled).map(({ round }) => round))];
    if (cold.length === 0) return [];
    const arm = arms.find((one) => configurationOf(one) === configuration);
    const { stack = "", settings = {} } = ofStack[0] ?? {};
    return {
      ...(arm === undefined ? { ...namedAlone(stack), title: stack, stackTitle: stack, settings } : stackAsSet(arm)),
      rounds: cold.toSorted((one, other) => one - other),
      of: new Set(ofStack.map(({ round }) => round)).size,
    };
  });
}
