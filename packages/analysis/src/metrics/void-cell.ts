// Arms without a latency, and arms with withheld percentiles, because of the generator.
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
