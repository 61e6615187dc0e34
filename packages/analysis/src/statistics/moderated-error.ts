// With six rounds a standard error is itself a rough estimate; a table of many comparisons shows how rough, and what is usual.
import { mean, variance } from "d3-array";
import { digamma, inverseTrigamma, trigamma } from "./gamma-derivatives.ts";

/** The scatter of one comparison over its rounds. */
export interface Scatter {
  readonly variance: number;
  /** Rounds − 1. */
  readonly degrees: number;
}

/** What is usual in a family: worth `degrees` extra degrees of freedom to each member. */
export interface UsualScatter {
  readonly variance: number;
  readonly degrees: number;
}

/**
 * Fits a scaled inverse χ² distribution to the variances of a family by the moments of their logarithms: Smyth, "Linear Models and
 * Empirical Bayes Methods for Assessing Differential Expression in Microarray Experiments", Statistical Applications in Genetics and
 * Molecular Biology 3 (2004), section 6.2. As in limma, the family never counts for more than all its own degrees of freedom together,
 * and members that go up and down together count as fewer: `independent` says as how many. A family of one has nothing usual: 0 degrees.
 */
export function usualScatter(family: readonly Scatter[], independent: number): UsualScatter {
  const known = family.filter((member) => member.variance > 0);
  if (known.length < 2) return { variance: 0, degrees: 0 };
  const half = known.map((member) => member.degrees / 2);
  const logs = known.map((member, index) => {
    const h = half[index] as number;
    return Math.log(member.variance) - digamma(h) + Math.log(h);
  });
  const centre = mean(logs) as number;
  const excess = (variance(logs) as number) - (mean(half, trigamma) as number);
  const others = Math.max(0, Math.min(independent, known.length) - 1);
  const most = others * 2 * (mean(half) as number);
  const fitted = excess > 0 ? 2 * inverseTrigamma(excess) : Infinity;
  const degrees = Math.min(fitted, most);
  const usual = Number.isFinite(fitted) ? centre + digamma(fitted / 2) - Math.log(fitted / 2) : centre;
  return { variance: Math.exp(usual), degrees };
}

/**
 * One comparison's variance raised to what its family makes credible, never lowered: a comparison that scattered little by luck does
 * not get a short interval, one that truly scatters more keeps its own. (Smyth's estimate also lowers; that would let a noisy
 * comparison hide among quiet ones.)
 */
export function moderatedVariance(own: Scatter, usual: UsualScatter): number {
  const pooled =
    (own.degrees * own.variance + usual.degrees * usual.variance) / Math.max(1, own.degrees + usual.degrees);
  return Math.max(own.variance, pooled);
}
