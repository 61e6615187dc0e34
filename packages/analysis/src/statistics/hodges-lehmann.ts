// A centre of a few values that is robust against an outlier.
import { quantile, sortedCopy } from "./describe-samples.ts";

/**
 * The one-sample Hodges–Lehmann estimate (pseudo-median): the median of all Walsh averages (xᵢ + xⱼ) / 2, i ≤ j. Hodges and Lehmann, "Estimates of
 * Location Based on Rank Tests", Annals of Mathematical Statistics 34 (1963). Quadratic: use it for rounds, not calls.
 */
export function hodgesLehmann(values: readonly number[]): number {
  const averages = values.flatMap((value, index) => values.slice(index).map((other) => (value + other) / 2));
  return quantile(sortedCopy(averages), 0.5);
}
