// One row of the results: an arm, a metric, and its distribution in figures.

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
 * One arm's distribution of one metric. Intervals are 95 % at the level of rounds; null when there are too few rounds for one. A percentile above the
 * quartiles is null where it is a latency that says more of the generator than of what was measured: see {@link LateTail}.
 */
export interface Summary {
  readonly armId: string;
  readonly metric: Metric;
  readonly n: number;
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number;
  /** Tukey: the last sample within 1.5 interquartile ranges of the box. */
  readonly whiskerLow: number;
  readonly whiskerHigh: number;
  /** Samples beyond the whiskers: counted, never deleted. */
  readonly outliers: number;
  readonly meanLow: number | null;
  readonly meanHigh: number | null;
  readonly p50Low: number | null;
  readonly p50High: number | null;
}
