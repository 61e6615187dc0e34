// Which stacks were measured in rounds in which their warm-up had been cut off: their figures are marked wherever they are shown.
import { configurationKey, configurationOf } from "../comparison/arm-factors.ts";
import type { UnsettledStack } from "../result.ts";
import type { RunFacts } from "../run.ts";

/** In the order in which the run names them; warm-up is per round and stack, as it is set, so all arms that its processes ran then are concerned. */
export function unsettledStacks({ warmUps, arms }: Pick<RunFacts, "warmUps" | "arms">): readonly UnsettledStack[] {
  return [...Map.groupBy(warmUps, configurationKey)].flatMap(([configuration, ofStack]) => {
    // Over several networks a stack has several pairs of processes in a round: one that was cut off marks it.
    const cold = [...new Set(ofStack.filter((warmUp) => !warmUp.settled).map(({ round }) => round))];
    if (cold.length === 0) return [];
    const stack = ofStack[0]?.stack ?? "";
    const title = arms.find((arm) => configurationOf(arm) === configuration)?.title ?? stack;
    return [
      {
        stack,
        title,
        rounds: cold.toSorted((one, other) => one - other),
        of: new Set(ofStack.map(({ round }) => round)).size,
      },
    ];
  });
}
