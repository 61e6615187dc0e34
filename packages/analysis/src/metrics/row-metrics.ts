// Metrics of single calls beside latency, from columns that may have no value.
import { mean } from "d3-array";
import { byRound, merged, sortedTogether } from "./block-values.ts";
import { valuesBySlot, type BlockSlots, type SlotValues } from "../calls/block-slots.ts";
import type { Arm, Samples } from "@roundtrip/runs";
import type { Metric, MetricValues } from "./summarise.ts";

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
