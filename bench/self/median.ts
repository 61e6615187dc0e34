// The middle of some values.
import { quantile, sortedCopy } from "../../packages/analysis/src/describe-samples.ts";

/** The median. Throws an AnalysisError for no values. */
export function median(values: ArrayLike<number>): number {
  return quantile(sortedCopy(values), 0.5);
}
