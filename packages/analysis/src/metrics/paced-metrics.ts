// What is known of arms whose tasks were set off by a load: how late they began, and what latency is from there.
import { mean } from "d3-array";
import { byRound, merged, sortedTogether } from "./block-values.ts";
import type { Metric } from "./summary.ts";
import type { MetricValues } from "./summarise.ts";
import { fromActualStart } from "./lateness.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";

function measured(
  armId: string,
  metric: Metric,
  roundIds: readonly number[],
  blocks: readonly { readonly round: number; readonly values: Float64Array }[],
): MetricValues {
  const means = blocks.map(({ round, values }) => ({ round, value: mean(values) as number }));
  const joined = (some: typeof blocks): Float64Array => sortedTogether(some.map(({ values }) => values));
  const rounds = [...Map.groupBy(blocks, ({ round }) => round).values()].map(joined);
  return { armId, metric, sorted: merged(rounds), means: byRound(roundIds, means), rounds };
}

/**
 * Two rows of an arm with a load, none of others: `latenessMs`, from when a task was to begin until it did, and `latencyFromStartMs`, what
 * latency would be if it were counted from there. Tasks that failed count for neither.
 */
export function pacedMetrics({ armId, blocks }: ArmTasks, roundIds: readonly number[]): readonly MetricValues[] {
  const paced = blocks.filter(({ latenessMs }) => latenessMs !== undefined);
  if (paced.length === 0) return [];
  const late = paced.map(({ round, latenessMs }) => ({ round, values: latenessMs ?? new Float64Array() }));
  const fromStart = paced.map((block) => ({ round: block.round, values: fromActualStart(block) }));
  return [measured(armId, "latenessMs", roundIds, late), measured(armId, "latencyFromStartMs", roundIds, fromStart)];
}
