// Costs of a task beside time: CPU of both sides, bytes, calls and connections, one value per block as the runner recorded it.
import { answeredCalls, answeredTasks } from "./answered.ts";
import { byRound } from "./block-values.ts";
import { sortedCopy } from "../statistics/describe-samples.ts";
import type { Metric, MetricValues } from "./summarise.ts";
import type { Block, FirstCall } from "@roundtrip/runs";

function perAnswered(spent: number | null, block: Block): number | null {
  const tasks = answeredTasks(block);
  return tasks === null || spent === null ? null : spent / tasks;
}

const perBlock: readonly { readonly metric: Metric; readonly value: (block: Block) => number | null }[] = [
  { metric: "serverCpuMsPerTask", value: (block) => perAnswered(block.serverCpuMs, block) },
  { metric: "clientCpuMsPerTask", value: (block) => perAnswered(block.clientCpuMs, block) },
  { metric: "wireBytesPerTask", value: (block) => perAnswered(block.wireBytes, block) },
  { metric: "callsPerTask", value: (block) => block.calls / block.tasks },
  { metric: "connectionsOpened", value: (block) => block.connectionsOpened },
  {
    metric: "connectionsPerCall",
    value: ({ connectionsOpened, calls }) => (calls === 0 ? null : connectionsOpened / calls),
  },
  { metric: "clientUtilisation", value: ({ clientUtilisation }) => clientUtilisation ?? null },
  { metric: "callsPerSecond", value: (block) => (1_000 * answeredCalls(block)) / block.elapsedMs },
];

function measured(
  armId: string,
  metric: Metric,
  roundIds: readonly number[],
  values: readonly { readonly round: number; readonly value: number }[],
): MetricValues {
  // A block has one value of these, which is its mean.
  const means = byRound(roundIds, values);
  return {
    armId,
    metric,
    sorted: sortedCopy(values.map(({ value }) => value)),
    means,
    rounds: means.filter((blocks) => blocks.length > 0).map(sortedCopy),
  };
}

/** The rows of one arm that do not come from single calls, without metrics that have no value. */
export function blockMetrics(
  armId: string,
  roundIds: readonly number[],
  blocks: readonly Block[],
  firstCalls: readonly FirstCall[],
): readonly MetricValues[] {
  const ordered = blocks
    .filter((block) => block.tasks > 0)
    .toSorted((one, other) => one.round - other.round || one.block - other.block);
  const starts = firstCalls.map(({ round, firstCallMs }) => ({ round, value: firstCallMs }));
  const rows = [
    { metric: "firstCallMs" as const, values: starts },
    ...perBlock.map(({ metric, value }) => ({
      metric,
      values: ordered.flatMap((block) => {
        const known = value(block);
        return known === null ? [] : [{ round: block.round, value: known }];
      }),
    })),
  ];
  return rows
    .filter(({ values }) => values.length > 0)
    .map(({ metric, values }) => measured(armId, metric, roundIds, values));
}
