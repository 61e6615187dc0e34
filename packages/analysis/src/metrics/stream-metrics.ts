// What is known of calls that read a stream of answers beside their latency: how long until the first bytes, and how often they then paused.
import type { RowMetric } from "./row-metrics.ts";
import type { Samples } from "../run/run-facts.ts";

/** Milliseconds from a call's start to its first message, and its pauses: of calls that are streams. */
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
