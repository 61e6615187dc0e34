// One row of the results: an arm, a metric, and its distribution in figures.
import type { Description } from "../statistics/describe-samples.ts";

export type Metric =
  | "latencyMs"
  | "firstCallMs"
  | "serverCpuMsPerTask"
  | "clientCpuMsPerTask"
  | "wireBytesPerTask"
  | "callsPerTask"
  | "connectionsOpened"
  | "connectionsPerCall"
  | "callsPerSecond"
  | "firstByteMs"
  | "pausesPerStream"
  | "queueMs"
  | "serviceMs"
  | "transportMs"
  | "latenessMs"
  | "latencyFromStartMs"
  | "clientUtilisation";

/**
 * One arm's distribution of one metric. Intervals are 95 % at the level of rounds; null with too few rounds. A latency percentile above the quartiles
 * is null where the generator dominates it: see {@link WithheldPercentiles}.
 */
export interface Summary extends Omit<Description, "p90" | "p95" | "p99"> {
  readonly armId: string;
  readonly metric: Metric;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly meanLow: number | null;
  readonly meanHigh: number | null;
  readonly p50Low: number | null;
  readonly p50High: number | null;
}
