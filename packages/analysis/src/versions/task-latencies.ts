// What a task takes in both versions: median, 99th percentile and mean of all its calls, and which of them moved. No verdict rests on it.
import { mean } from "d3-array";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { randomFrom } from "../statistics/random.ts";
import { simultaneousIntervals } from "../statistics/simultaneous-intervals.ts";
import type { Interval } from "../statistics/student-t.ts";
import { unpairedRatios } from "./unpaired-ratios.ts";
import type { ArmInBoth, ComparedLatency, LatencyFigures, MovedLatency, VersionFigures } from "./version-comparison.ts";

export interface LatencyPair {
  readonly id: string;
  readonly arm: ArmInBoth;
  readonly base: VersionFigures;
  readonly head: VersionFigures;
  readonly armIds: { readonly base: string; readonly head: string };
}

const statistics = ["mean", "p99"] as const;

type RoundLogs = Readonly<Record<(typeof statistics)[number], readonly number[]>>;

function figuresOf({ p50, p99, mean: centre }: VersionFigures): LatencyFigures {
  return { p50, p99, mean: centre };
}

/** By arm: the logarithm of both statistics over all tasks of a round; NaN for a round without an answer. */
function logsByArm({ tasks }: Pick<GatheredCalls, "tasks">, rounds: number): ReadonlyMap<string, RoundLogs> {
  return new Map(
    tasks.map(({ armId, blocks }) => {
      const byRound = Map.groupBy(blocks, ({ round }) => round);
      const all = Array.from({ length: rounds }, (_, round) =>
        (byRound.get(round) ?? []).flatMap(({ latenciesMs }) => [...latenciesMs]),
      );
      return [
        armId,
        {
          mean: all.map((values) => Math.log(mean(values) ?? Number.NaN)),
          p99: all.map((values) => (values.length === 0 ? Number.NaN : Math.log(quantile(sortedCopy(values), 0.99)))),
        },
      ];
    }),
  );
}

interface Change extends Interval {
  readonly centre: number;
}

interface Series {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** Changes of rounds that measured both versions, as logarithms with simultaneous 95 % intervals; null with too few rounds. */
function pairedChanges(series: readonly Series[], seed: number): readonly (Change | null)[] {
  const rows = series.map(({ base, head }) => head.map((value, round) => value - (base[round] ?? Number.NaN)));
  const intervals = simultaneousIntervals(rows, randomFrom(seed, "latencies of versions"));
  return rows.map((row, index) => {
    const interval = intervals[index] ?? null;
    return interval && { ...interval, centre: mean(row.filter(Number.isFinite)) ?? 0 };
  });
}

/** The same for two runs, whose rounds are not paired. */
function unpairedChanges(series: readonly Series[]): readonly (Change | null)[] {
  return unpairedRatios(series).map(({ centre, interval }) => interval && { ...interval, centre });
}

export interface TaskLatenciesOptions {
  /** The seed of the intervals where a round measured both versions; null for two runs. */
  readonly pairedBy: number | null;
  /** A change up to this share is not reported as one. */
  readonly tolerate: number;
}

/**
 * Returns the latencies of every pair. A mean or p99 has moved if it changed by more than `tolerate` and its interval, simultaneous over all of them,
 * excludes no change. A percentile that the generator dominates has no figure, and does not move.
 */
export function taskLatencies(
  pairs: readonly LatencyPair[],
  calls: { readonly base: Pick<GatheredCalls, "tasks">; readonly head: Pick<GatheredCalls, "tasks"> },
  { pairedBy, tolerate }: TaskLatenciesOptions,
): readonly ComparedLatency[] {
  const every = [...calls.base.tasks, ...calls.head.tasks].flatMap(({ blocks }) =>
    blocks.map(({ round }) => round + 1),
  );
  const rounds = every.reduce((most, round) => Math.max(most, round), 0);
  const logs = { base: logsByArm(calls.base, rounds), head: logsByArm(calls.head, rounds) };
  const rows = pairs.flatMap(({ base, head, armIds }, pair) =>
    statistics.flatMap((statistic) => {
      const series = {
        base: logs.base.get(armIds.base)?.[statistic] ?? [],
        head: logs.head.get(armIds.head)?.[statistic] ?? [],
      };
      return base[statistic] === null || head[statistic] === null ? [] : [{ pair, statistic, series }];
    }),
  );
  const compared = rows.map(({ series }) => series);
  const changes = pairedBy === null ? unpairedChanges(compared) : pairedChanges(compared, pairedBy);
  const moved = rows.flatMap(({ pair, statistic }, row): readonly (MovedLatency & { readonly pair: number })[] => {
    const change = changes[row] ?? null;
    if (change === null || (change.low <= 0 && change.high >= 0)) return [];
    if (Math.abs(change.centre) <= Math.log1p(tolerate)) return [];
    const { centre, low, high } = change;
    return [{ pair, statistic, ratio: Math.exp(centre), low: Math.exp(low), high: Math.exp(high) }];
  });
  return pairs.map(({ id, arm, base, head }, index) => ({
    id,
    ...arm,
    base: figuresOf(base),
    head: figuresOf(head),
    moved: moved.flatMap(({ pair, ...of }) => (pair === index ? [of] : [])),
  }));
}
