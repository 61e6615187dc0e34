// Head's figures in Bencher Metric Format: a benchmark is an arm, its measures are the medians that a verdict rests on, with p99 and mean of latency.
import type { ComparedCell, ComparedLatency, Metric, VersionComparison } from "@roundtrip/analysis";
import type { ComparisonFormat } from "../registry/format.ts";
import { armIdOf } from "../comparisons/cell-label.ts";

interface Measured {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/** Bencher's built-in measure `latency` is in nanoseconds; the other measures use the same unit. */
export const nsPerMs = 1e6;

export const measures: Readonly<Partial<Record<Metric, string>>> = {
  latencyMs: "latency",
  serverCpuMsPerTask: "server-cpu",
  clientCpuMsPerTask: "client-cpu",
  firstCallMs: "first-call",
};

/** The median with its bounds, 95 % at the level of rounds; these are absent with too few. */
function measured({ head }: ComparedCell): Measured {
  return {
    value: head.p50 * nsPerMs,
    ...(head.p50Low === null ? {} : { lower_value: head.p50Low * nsPerMs }),
    ...(head.p50High === null ? {} : { upper_value: head.p50High * nsPerMs }),
  };
}

function latencyMeasures({ head: { p50, p99, mean } }: ComparedLatency): Readonly<Record<string, Measured>> {
  return {
    latency: { value: p50 * nsPerMs },
    ...(p99 === null ? {} : { "latency-p99": { value: p99 * nsPerMs } }),
    "latency-mean": { value: mean * nsPerMs },
  };
}

type Measures = Readonly<Record<string, Measured>>;

function benchmarks({ cells, latencies }: VersionComparison): Readonly<Record<string, Measures>> {
  const arms = Map.groupBy(cells, armIdOf);
  const known = new Map(latencies.map((latency) => [latency.id, latency]));
  return Object.fromEntries(
    [...new Set([...arms.keys(), ...known.keys()])].map((arm): readonly [string, Measures] => {
      const latency = known.get(arm);
      const judged = (arms.get(arm) ?? []).map(
        (cell) => [measures[cell.metric] ?? cell.metric, measured(cell)] as const,
      );
      return [arm, { ...(latency === undefined ? {} : latencyMeasures(latency)), ...Object.fromEntries(judged) }];
    }),
  );
}

export const format: ComparisonFormat = {
  name: "bencher",
  fileName: "bencher.json",
  render: ({ comparison }) => `${JSON.stringify(benchmarks(comparison), null, 2)}\n`,
};
