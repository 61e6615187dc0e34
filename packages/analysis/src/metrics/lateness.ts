// How late tasks started, which latency figures of an arm that moves, and the percentiles that enough calls support.
import { versionFactor, type Arm } from "@roundtrip/runs";
import { mean } from "d3-array";
import type { ArmTasks, TaskBlock } from "../calls/tasks-of.ts";
import { byRound, merged, sortedTogether, sortedLatencies } from "./block-values.ts";
import type { Metric, MetricValues } from "./summarise.ts";
import { quantile } from "../statistics/describe-samples.ts";

/** Open loop: the client's lateness is purely an error of the generator. Maximum share of a figure. */
const mostOfOpen = 0.1;

/**
 * Closed loop: the client is a station of the model like the server, with other work (other calls, garbage collection). A call visits it twice, at
 * its start and with its answer, and waits equally each time. So a late start is at most half of a latency.
 */
const mostOfClosed = 0.5;

/** Two versions share one generator and schedule: a ratio pulled towards 1 is no false alarm. Beyond half, it measures the generator. */
const mostOfVersions = 0.5;

function mostOf({ load, factors }: Pick<Arm, "load" | "factors">): number {
  if (load?.loop === "closed") return mostOfClosed;
  return factors[versionFactor] === undefined ? mostOfOpen : mostOfVersions;
}

/** One latency figure of an arm, in milliseconds, from the intended and the actual start. */
export interface TwiceCounted {
  readonly intendedMs: number;
  readonly actualMs: number;
  /** Whether the difference exceeds the generator's permitted share. */
  readonly isMoved: boolean;
}

export interface Lateness {
  readonly mean: TwiceCounted;
  readonly quantile: (fraction: number) => TwiceCounted;
}

export function fromActualStart({ latenciesMs, latenessMs }: TaskBlock): Float64Array {
  return latenessMs === undefined ? latenciesMs : latenciesMs.map((ms, task) => ms - (latenessMs[task] as number));
}

/** Undefined for an arm without a load or without answers. */
export function latenessOf(
  { load, factors }: Pick<Arm, "load" | "factors">,
  { blocks }: Pick<ArmTasks, "blocks">,
): Lateness | undefined {
  if (load === undefined || blocks.length === 0) return undefined;
  const share = mostOf({ load, factors });
  const intended = sortedTogether(blocks.map(({ latenciesMs }) => latenciesMs));
  const actual = sortedTogether(blocks.map(fromActualStart));
  const twice = (figure: (sorted: Float64Array) => number): TwiceCounted => {
    const [intendedMs, actualMs] = [figure(intended), figure(actual)];
    return { intendedMs, actualMs, isMoved: intendedMs - actualMs > share * intendedMs };
  };
  return {
    mean: twice((sorted) => mean(sorted) as number),
    quantile: (fraction) => twice((sorted) => quantile(sorted, fraction)),
  };
}

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

/** Two rows for an arm with a load: `latenessMs`, from intended to actual start, and `latencyFromStartMs`. Failed tasks are in neither. */
export function pacedMetrics({ armId, blocks }: ArmTasks, roundIds: readonly number[]): readonly MetricValues[] {
  const paced = blocks.filter(({ latenessMs }) => latenessMs !== undefined);
  if (paced.length === 0) return [];
  const late = paced.map(({ round, latenessMs }) => ({ round, values: latenessMs ?? new Float64Array() }));
  const fromStart = paced.map((block) => ({ round: block.round, values: fromActualStart(block) }));
  return [measured(armId, "latenessMs", roundIds, late), measured(armId, "latencyFromStartMs", roundIds, fromStart)];
}

/** `left-out`: tasks were not started. `late`: some started too late. `busy`: the client had no time for answers. */
export type VoidCode = "left-out" | "late" | "busy";

export interface VoidCell {
  readonly armId: string;
  readonly codes: readonly VoidCode[];
  /** As text, at least one per code. */
  readonly reasons: readonly string[];
}

/** Percentiles that may be withheld while the mean and the median are reported. */
export type TailPercentile = "p90" | "p95" | "p99" | "p99.9";

export interface WithheldPercentiles {
  readonly armId: string;
  /** Ascending, at least one. */
  readonly percentiles: readonly TailPercentile[];
}

/** From the intended start, over all rounds, in milliseconds; null where fewer than five calls took longer, or too many of those started late. */
export interface MeasuredPercentiles {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

/** With fewer calls beyond it, a percentile depends on single calls. */
const fewestBeyond = 5;

/** Whether enough calls are beyond a percentile to report it. */
export function isReportable(calls: number, fraction: number): boolean {
  // Rounded, because 1 − 0.999 is slightly above a thousandth.
  return Math.round(calls * (1 - fraction) * 1e6) / 1e6 >= fewestBeyond;
}

export const noPercentiles: MeasuredPercentiles = { p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null };

/** @param withheld percentiles that the generator dominates */
export function responsePercentiles(
  { blocks }: Pick<ArmTasks, "blocks">,
  withheld: readonly TailPercentile[],
): MeasuredPercentiles {
  const sorted = sortedLatencies(blocks);
  const percentile = (share: number): number | null =>
    isReportable(sorted.length, share) ? quantile(sorted, share) : null;
  const tail = (name: TailPercentile, share: number): number | null =>
    withheld.includes(name) ? null : percentile(share);
  return { p50Ms: percentile(0.5), p90Ms: tail("p90", 0.9), p99Ms: tail("p99", 0.99), p999Ms: tail("p99.9", 0.999) };
}
