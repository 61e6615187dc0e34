// Head's figures in Bencher Metric Format: a benchmark is an arm, its measures are the medians that a verdict rests on, with p99 and mean of latency,
// and the memory of the server in bytes.
import type { Metric, VersionComparison } from "@roundtrip/analysis";
import { armIdOf } from "../comparisons/cell-label.ts";
import type { ComparisonFormat } from "../registry/format.ts";

/** Bencher's built-in measure `latency` is in nanoseconds; the other measures use the same unit. */
const nsPerMs = 1e6;

const measures: Readonly<Partial<Record<Metric, string>>> = {
  latencyMs: "latency",
  serverCpuMsPerTask: "server-cpu",
  clientCpuMsPerTask: "client-cpu",
  firstCallMs: "first-call",
};

interface Measured {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

type Measures = Readonly<Record<string, Measured>>;

/** A median with its bounds, 95 % at the level of rounds; these are absent with too few. */
interface Figures {
  readonly p50: number;
  readonly p50Low?: number | null;
  readonly p50High?: number | null;
}

/** The median of one metric under its name for Bencher; none for a metric without one. */
export function medianMeasure(metric: Metric, { p50, p50Low = null, p50High = null }: Figures): Measures {
  const name = measures[metric];
  if (name === undefined) return {};
  const bounds = {
    ...(p50Low === null ? {} : { lower_value: p50Low * nsPerMs }),
    ...(p50High === null ? {} : { upper_value: p50High * nsPerMs }),
  };
  return { [name]: { value: p50 * nsPerMs, ...bounds } };
}

export function tailMeasures({ p99, mean }: { readonly p99: number | null; readonly mean: number }): Measures {
  const ofMean = { "latency-mean": { value: mean * nsPerMs } };
  return p99 === null ? ofMean : { "latency-p99": { value: p99 * nsPerMs }, ...ofMean };
}

function benchmarks({ cells, latencies, memory }: VersionComparison): Readonly<Record<string, Measures>> {
  const parts = [
    ...latencies.map(({ id, head }) => ({
      arm: id,
      part: { ...medianMeasure("latencyMs", head), ...tailMeasures(head) },
    })),
    ...memory.map(({ id, head: { peakBytes, allocatedBytesPerTask } }) => ({
      arm: id,
      part: {
        ...(peakBytes === null ? {} : { "server-memory-peak": { value: peakBytes } }),
        ...(allocatedBytesPerTask === null ? {} : { "server-memory-allocated": { value: allocatedBytesPerTask } }),
      },
    })),
    ...cells.map((cell) => ({ arm: armIdOf(cell), part: medianMeasure(cell.metric, cell.head) })),
  ];
  const byArm: Record<string, Measures> = {};
  for (const { arm, part } of parts) byArm[arm] = { ...byArm[arm], ...part };
  return byArm;
}

export const format: ComparisonFormat = {
  name: "bencher",
  fileName: "bencher.json",
  render: ({ comparison }) => `${JSON.stringify(benchmarks(comparison), null, 2)}\n`,
};
