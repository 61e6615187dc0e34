// What is said of an arm whose mean stands, and some of whose percentiles say more of what set its tasks off than of what was measured.

/** Those that may be withheld while the mean and the median are reported. */
export type TailPercentile = "p90" | "p95" | "p99" | "p99.9";

/** An arm some of whose tasks began so late that these percentiles are withheld. */
export interface LateTail {
  readonly armId: string;
  /** From the lowest, one or more. */
  readonly percentiles: readonly TailPercentile[];
}
