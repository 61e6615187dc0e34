// Arms without a latency, and arms some of whose percentiles are withheld, because of what the generator did.
/** `left-out`: tasks were not begun. `late`: some began too late. `busy`: the client had no time left for answers. */
export type VoidCode = "left-out" | "late" | "busy";

/** An arm whose load was not what was asked for: it has no latency. */
export interface VoidCell {
  readonly armId: string;
  readonly codes: readonly VoidCode[];
  /** In words, one for each code or more. */
  readonly reasons: readonly string[];
}

/** Those that may be withheld while the mean and the median are reported. */
export type TailPercentile = "p90" | "p95" | "p99" | "p99.9";

/** An arm some of whose tasks began so late that these percentiles are withheld. */
export interface LateTail {
  readonly armId: string;
  /** From the lowest, one or more. */
  readonly percentiles: readonly TailPercentile[];
}
