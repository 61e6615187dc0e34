// Head's figures in Bencher Metric Format: a benchmark is an arm, its measures are the arm's metrics.
import type { ComparedCell, Metric } from "@roundtrip/analysis";
import type { ComparisonFormat } from "../registry/format.ts";
import { armIdOf } from "../comparisons/cell-label.ts";

interface Measured {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/** Bencher's built-in measure `latency` is in nanoseconds; the other measures use the same unit. */
const nsPerMs = 1e6;

const measures: Readonly<Partial<Record<Metric, string>>> = {
  latencyMs: "latency",
  serverCpuMsPerTask: "server-cpu",
  clientCpuMsPerTask: "client-cpu",
  firstCallMs: "first-call",
};

/** Bounds of the mean, 95 % at the level of rounds; absent with too few. */
function measured({ head }: ComparedCell): Measured {
  return {
    value: head.mean * nsPerMs,
    ...(head.meanLow === null ? {} : { lower_value: head.meanLow * nsPerMs }),
    ...(head.meanHigh === null ? {} : { upper_value: head.meanHigh * nsPerMs }),
  };
}

function benchmarks(cells: readonly ComparedCell[]): Readonly<Record<string, Readonly<Record<string, Measured>>>> {
  const arms = Map.groupBy(cells, armIdOf);
  return Object.fromEntries(
    [...arms].map(([arm, some]) => [
      arm,
      Object.fromEntries(some.map((cell) => [measures[cell.metric] ?? cell.metric, measured(cell)])),
    ]),
  );
}

export const format: ComparisonFormat = {
  name: "bencher",
  fileName: "bencher.json",
  render: ({ comparison }) => `${JSON.stringify(benchmarks(comparison.cells), null, 2)}\n`,
};
