// The median of values.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";

/** Throws an AnalysisError for no values. */
export function median(values: ArrayLike<number>): number {
  return quantile(sortedCopy(values), 0.5);
}
