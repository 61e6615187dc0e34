// Stacks measured in rounds whose warm-up was cut off. Reports mark their figures.
import {
  configurationKey,
  configurationOf,
  idsFromName,
  stackAsSet,
  type RunFacts,
  type StackAsSet,
} from "@roundtrip/runs";

export interface UnsettledStack extends StackAsSet {
  /** Rounds whose warm-up was cut off before figures settled, 0-based and ascending. */
  readonly rounds: readonly number[];
  /** Number of rounds with a warm-up. */
  readonly of: number;
}

/** In the order of the run. Warm-up is per round and configuration, so it concerns all arms that those processes ran. */
export function unsettledStacks({ warmUps, arms }: Pick<RunFacts, "warmUps" | "arms">): readonly UnsettledStack[] {
  return [...Map.groupBy(warmUps, configurationKey)].flatMap(([configuration, ofStack]) => {
    // With several networks a stack has several pairs of processes per round: one that was cut off marks it.
    const cold = [...new Set(ofStack.filter((warmUp) => !warmUp.settled).map(({ round }) => round))];
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
