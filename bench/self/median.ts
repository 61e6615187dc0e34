// The middle of some values.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";

/** The median. Throws an AnalysisError for no values. */
export function median(values: ArrayLike<number>): number {
  return quantile(sortedCopy(values), 0.5);
}
