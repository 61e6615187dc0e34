// An arm's measurements by round, as intervals need them, and the answered part of a block.
import type { Block } from "@roundtrip/runs";
import { mean } from "d3-array";
import type { TaskBlock } from "../calls/tasks-of.ts";
import { sortInPlace } from "../statistics/describe-samples.ts";
import type { ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import type { ValuesByRound } from "../statistics/student-t.ts";

/** Groups values by round: row r is round `roundIds[r]`, empty where the arm has no value. */
export function byRound(
  roundIds: readonly number[],
  values: readonly { readonly round: number; readonly value: number }[],
): ValuesByRound {
  const groups = Map.groupBy(values, ({ round }) => round);
  return roundIds.map((round) => (groups.get(round) ?? []).map(({ value }) => value));
}

export function blockMeans(roundIds: readonly number[], blocks: readonly TaskBlock[]): ValuesByRound {
  return byRound(
    roundIds,
    blocks.map(({ round, latenciesMs }) => ({ round, value: mean(latenciesMs) as number })),
  );
}

/** The mean latency of each block by turn, so that comparisons find the matching block of another arm. */
export function meansByTurn(roundIds: readonly number[], blocks: readonly TaskBlock[]): ValuesByTurn {
  const groups = Map.groupBy(blocks, ({ round }) => round);
  return roundIds.map(
    (round) => new Map((groups.get(round) ?? []).map(({ turn, latenciesMs }) => [turn, mean(latenciesMs) as number])),
  );
}

export function merged(parts: readonly Float64Array[]): Float64Array {
  if (parts.length < 2) return parts[0] ?? new Float64Array();
  const half = Math.ceil(parts.length / 2);
  const [one, other] = [merged(parts.slice(0, half)), merged(parts.slice(half))];
  const all = new Float64Array(one.length + other.length);
  let [left, right] = [0, 0];
  for (let at = 0; at < all.length; at += 1) {
    const takesLeft =
      right === other.length || (left < one.length && (one[left] as number) <= (other[right] as number));
    all[at] = (takesLeft ? one[left] : other[right]) as number;
    if (takesLeft) left += 1;
    else right += 1;
  }
  return all;
}

export function sortedTogether(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sortInPlace(all);
}

export function sortedLatencies(blocks: readonly TaskBlock[]): Float64Array {
  return sortedTogether(blocks.map(({ latenciesMs }) => latenciesMs));
}

type Counted = Pick<Block, "tasks" | "calls" | "failedCalls">;

export function answeredCalls({ calls, failedCalls }: Pick<Counted, "calls" | "failedCalls">): number {
  return calls - failedCalls;
}

/**
 * The number of tasks that the answered calls make up; null without answers. A block's cost over this number is the cost of an answered task
 * including failures. That times answered tasks per second is the cost per second.
 */
export function answeredTasks(block: Counted): number | null {
  const { tasks, calls, failedCalls } = block;
  if (failedCalls === 0) return tasks;
  const answered = answeredCalls(block);
  return answered === 0 ? null : (tasks * answered) / calls;
}
