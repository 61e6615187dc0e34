// An interval for the ratio of two means, such as the point where two fitted lines cross.
import { mean } from "d3-array";
import { type Interval, minimumRounds, twoSidedT } from "./student-t.ts";

/**
 * Returns the 95 % interval of mean(above) / mean(below) for paired values: Fieller, "Some Problems in Interval Estimation", Journal of the Royal
 * Statistical Society B 16 (1954). Exact for normal pairs; a plain ± would be wrong because the ratio is skewed. Null with too few pairs, or when the
 * denominator may be 0, so that the interval is unbounded.
 */
export function fiellerInterval(above: readonly number[], below: readonly number[]): Interval | null {
  const n = above.length;
  if (n < minimumRounds) return null;
  const centreA = mean(above) as number;
  const centreB = mean(below) as number;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  above.forEach((value, index) => {
    const deviationB = (below[index] as number) - centreB;
    squaresA += (value - centreA) ** 2;
    squaresB += deviationB ** 2;
    products += (value - centreA) * deviationB;
  });
  const scale = twoSidedT(0.95, n - 1) ** 2 / (n * (n - 1));
  // The ratios ρ with (A − ρB)² ≤ t² Var(A − ρB): between the roots of a quadratic.
  const a = centreB ** 2 - scale * squaresB;
  const b = centreA * centreB - scale * products;
  const c = centreA ** 2 - scale * squaresA;
  if (a <= 0) return null;
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  return { low: (b - root) / a, high: (b + root) / a };
}
