// Letter values: quantiles that go further into the tails the more samples there are.
import { quantile } from "./describe-samples.ts";

/** The two quantiles at one depth: 2 is the quartiles, 3 the eighths, 4 the sixteenths, … */
export interface LetterValue {
  readonly depth: number;
  readonly low: number;
  readonly high: number;
}

/**
 * From the quartiles outward, as deep as the samples allow: Hofmann, Wickham and Kafadar, "Letter-Value Plots: Boxplots for
 * Large Data", Journal of Computational and Graphical Statistics 26 (2017), whose rule stops where the 95 % intervals of neighbouring
 * letter values would overlap: floor(log2 n) − floor(log2(2 · 1.96²)) + 1 depths.
 */
export function letterValues(sorted: Float64Array): readonly LetterValue[] {
  const z = 1.959964;
  const deepest = Math.floor(Math.log2(sorted.length)) - Math.floor(Math.log2(2 * z * z)) + 1;
  return Array.from({ length: Math.max(0, deepest - 1) }, (_, index) => {
    const depth = index + 2;
    const tail = 2 ** -depth;
    return { depth, low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
  });
}
