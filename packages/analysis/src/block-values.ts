// One value per block, by round: the form in which intervals and comparisons take an arm's measurements.
import { mean } from "d3-array";
import { quantile, sortedCopy } from "./describe-samples.ts";
import type { TaskBlock } from "./tasks-of.ts";
import type { Rounds } from "./two-level-bootstrap.ts";

/** Values with their round, gathered by round: row r holds round `roundIds[r]`, empty where the arm has nothing in that round. */
export function byRound(
  roundIds: readonly number[],
  values: readonly { readonly round: number; readonly value: number }[],
): Rounds {
  const groups = Map.groupBy(values, ({ round }) => round);
  return roundIds.map((round) => (groups.get(round) ?? []).map(({ value }) => value));
}

/** The mean latency of each block. */
export function blockMeans(roundIds: readonly number[], blocks: readonly TaskBlock[]): Rounds {
  return byRound(
    roundIds,
    blocks.map(({ round, latenciesMs }) => ({ round, value: mean(latenciesMs) as number })),
  );
}

/** The median latency of each block. */
export function blockMedians(roundIds: readonly number[], blocks: readonly TaskBlock[]): Rounds {
  return byRound(
    roundIds,
    blocks.map(({ round, latenciesMs }) => ({ round, value: quantile(sortedCopy(latenciesMs), 0.5) })),
  );
}
