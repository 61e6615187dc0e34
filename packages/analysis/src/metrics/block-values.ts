// An arm's measurements by round: the forms in which intervals take them.
import { mean } from "d3-array";
import { sortedCopy } from "../statistics/describe-samples.ts";
import type { TaskBlock } from "../tasks-of.ts";
import type { Turns } from "../statistics/paired-log-ratio.ts";
import type { Rounds } from "../statistics/two-level-bootstrap.ts";

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

/** The mean latency of each block by its turn: how comparisons find the block that another arm's block stands against. */
export function meansByTurn(roundIds: readonly number[], blocks: readonly TaskBlock[]): Turns {
  const groups = Map.groupBy(blocks, ({ round }) => round);
  return roundIds.map(
    (round) => new Map((groups.get(round) ?? []).map(({ turn, latenciesMs }) => [turn, mean(latenciesMs) as number])),
  );
}

/** All of these values, ascending. */
export function sortedTogether(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sortedCopy(all);
}

/** All latencies of these blocks, ascending. */
export function sortedLatencies(blocks: readonly TaskBlock[]): Float64Array {
  return sortedTogether(blocks.map(({ latenciesMs }) => latenciesMs));
}
