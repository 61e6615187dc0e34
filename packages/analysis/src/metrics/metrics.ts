// Metrics beside latency: costs of a task, one value per block as the runner recorded it, and values of single calls, from columns that may have none.
import type { Block, FirstCall, Arm, RoundMemory, Samples } from "@roundtrip/runs";
import { mean } from "d3-array";
import { valuesBySlot, type BlockSlots, type SlotValues } from "../calls/block-slots.ts";
import { answeredCalls, answeredTasks, byRound, merged, sortedTogether } from "./block-values.ts";
import type { Metric, MetricValues } from "./summarise.ts";
import { sortedCopy } from "../statistics/describe-samples.ts";

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
  // The congestion window that its connections ended with.
  { metric: "windowSegments", value: ({ tcp }) => tcp?.client?.cwndSegments ?? null },
  { metric: "clientUtilisation", value: ({ clientUtilisation }) => clientUtilisation ?? null },
  { metric: "serverResidentBytes", value: ({ serverMemory }) => serverMemory?.residentBytes ?? null },
  { metric: "clientResidentBytes", value: ({ clientMemory }) => clientMemory?.residentBytes ?? null },
  { metric: "serverPeakBytes", value: ({ serverMemory }) => serverMemory?.peakBytes ?? null },
  { metric: "clientPeakBytes", value: ({ clientMemory }) => clientMemory?.peakBytes ?? null },
  {
    metric: "serverAllocatedBytesPerTask",
    value: (block) => perAnswered(block.server?.allocatedBytes ?? null, block),
  },
  {
    metric: "clientAllocatedBytesPerTask",
    value: (block) => perAnswered(block.client?.allocatedBytes ?? null, block),
  },
  { metric: "callsPerSecond", value: (block) => (1_000 * answeredCalls(block)) / block.elapsedMs },
  // Of one core: above 1 where threads use several.
  { metric: "serverCpuShare", value: ({ serverCpuMs, elapsedMs }) => serverCpuMs && serverCpuMs / elapsedMs },
  { metric: "wireBytesPerSecond", value: ({ wireBytes, elapsedMs }) => wireBytes && (1_000 * wireBytes) / elapsedMs },
];

/** What the processes of an arm held outside its blocks: one value a round. */
const perRound: readonly { readonly metric: Metric; readonly value: (memory: RoundMemory) => number | undefined }[] = [
  { metric: "serverWarmBytes", value: ({ server }) => server.warmBytes },
  { metric: "clientWarmBytes", value: ({ client }) => client.warmBytes },
  { metric: "serverHeapBytes", value: ({ server }) => server.heapBytes },
  { metric: "clientHeapBytes", value: ({ client }) => client.heapBytes },
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
  memory: readonly RoundMemory[],
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
    ...perRound.map(({ metric, value }) => ({
      metric,
      values: memory.flatMap((held) => {
        const known = value(held);
        return known === undefined ? [] : [{ round: held.round, value: known }];
      }),
    })),
  ];
  return rows
    .filter(({ values }) => values.length > 0)
    .map(({ metric, values }) => measured(armId, metric, roundIds, values));
}

/** A metric by the row of its call; NaN without a value. */
export interface RowMetric {
  readonly metric: Metric;
  readonly value: (row: number) => number;
}

interface RoundValues {
  readonly round: number;
  readonly blockMeans: readonly number[];
  readonly sorted: Float64Array;
}

export interface RowValues {
  readonly metric: Metric;
  readonly rounds: readonly RoundValues[];
}

function roundValues(blocks: readonly SlotValues[]): readonly RoundValues[] {
  return [...Map.groupBy(blocks, ({ slot }) => slot.round)].map(([round, some]) => ({
    round,
    blockMeans: some.map(({ values }) => mean(values) as number),
    sorted: sortedTogether(some.map(({ values }) => values)),
  }));
}

/** Returns these metrics by index of the arm. Ignores failed calls, since they did not do the work requested. */
export function rowValues(
  arms: readonly Arm[],
  samples: Samples,
  blocks: BlockSlots,
  metrics: readonly RowMetric[],
): readonly (readonly RowValues[])[] {
  const isAnswered = samples.outcomes.map((outcome) => outcome === "OK");
  // One metric at a time: most columns of a long run are empty.
  const ofMetrics = metrics.map(({ metric, value }) => {
    const answered = (row: number): number =>
      isAnswered[samples.outcome[row] as number] === true ? value(row) : Number.NaN;
    const ofArm = Map.groupBy(valuesBySlot(blocks, answered), ({ slot }) => slot.arm);
    return arms.map((_, arm) => ({ metric, rounds: roundValues(ofArm.get(arm) ?? []) }));
  });
  return arms.map((_, arm) => ofMetrics.map((ofArms) => ofArms[arm] as RowValues));
}

/** Joins the values of parts of a run, each with the same arms and metrics. */
export function joinRowValues(
  parts: readonly (readonly (readonly RowValues[])[])[],
): readonly (readonly RowValues[])[] {
  const [first = []] = parts;
  return first.map((values, arm) =>
    values.map(({ metric }, index) => ({
      metric,
      rounds: parts.flatMap((part) => part[arm]?.[index]?.rounds ?? []),
    })),
  );
}

export function rowMetrics(
  armId: string,
  values: readonly RowValues[],
  roundIds: readonly number[],
): readonly MetricValues[] {
  return values
    .filter(({ rounds }) => rounds.length > 0)
    .map(({ metric, rounds }) => {
      const sorted = rounds.map((round) => round.sorted);
      const means = rounds.flatMap(({ round, blockMeans }) => blockMeans.map((value) => ({ round, value })));
      return { armId, metric, sorted: merged(sorted), means: byRound(roundIds, means), rounds: sorted };
    });
}

/** For streams: milliseconds from a call's start to its first message, and its pauses. */
export function streamMetrics({ firstByteAtNs, pauses, startedAtNs }: Samples): readonly RowMetric[] {
  return [
    {
      metric: "firstByteMs",
      value: (row) => ((firstByteAtNs?.[row] ?? Number.NaN) - (startedAtNs[row] as number)) / 1e6,
    },
    {
      metric: "pausesPerStream",
      value: (row) => (Number.isNaN(firstByteAtNs?.[row] ?? Number.NaN) ? Number.NaN : (pauses?.[row] ?? Number.NaN)),
    },
  ];
}

/** The two times that answers report, and the rest of a call's time: the network, the style, and the wait for a processor at both ends. */
export function reportedMetrics({ queueNs, serviceNs, startedAtNs, endedAtNs }: Samples): readonly RowMetric[] {
  const queuedNs = (row: number): number => queueNs?.[row] ?? Number.NaN;
  const servedNs = (row: number): number => serviceNs?.[row] ?? Number.NaN;
  const lastedNs = (row: number): number => (endedAtNs[row] as number) - (startedAtNs[row] as number);
  return [
    { metric: "queueMs", value: (row) => queuedNs(row) / 1e6 },
    { metric: "serviceMs", value: (row) => servedNs(row) / 1e6 },
    { metric: "transportMs", value: (row) => (lastedNs(row) - (queuedNs(row) + servedNs(row))) / 1e6 },
  ];
}
