// The first calls of each arm by round, in the form that lines are fitted through.
import { byRound } from "../metrics/block-values.ts";
import type { RunFacts } from "../run/run-facts.ts";
import type { ValuesByRound } from "../statistics/two-level-bootstrap.ts";

/** By arm; an arm without any is missing. */
export function firstCallsIn(
  { firstCalls }: Pick<RunFacts, "firstCalls">,
  roundIds: readonly number[],
): ReadonlyMap<string, ValuesByRound> {
  const byArm = Map.groupBy(firstCalls, ({ armId }) => armId);
  return new Map(
    [...byArm].map(([armId, calls]) => [
      armId,
      byRound(
        roundIds,
        calls.map(({ round, firstCallMs }) => ({ round, value: firstCallMs })),
      ),
    ]),
  );
}
