// With six rounds a standard error is itself a rough estimate. A family of comparisons shows how rough, and what is usual.
import { mean, variance } from "d3-array";

/** ψ(x), x > 0: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.3.5, 6.3.18). */
export function digamma(x: number): number {
  let value = 0;
  let at = x;
  for (; at < 10; at += 1) value -= 1 / at;
  const inverse = 1 / (at * at);
  return (
    value +
    Math.log(at) -
    1 / (2 * at) -
    inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132))))
  );
}

/** ψ′(x), x > 0: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.12). */
export function trigamma(x: number): number {
  let value = 0;
  let at = x;
  for (; at < 10; at += 1) value += 1 / (at * at);
  const inverse = 1 / (at * at);
  return (
    value +
    1 / at +
    inverse / 2 +
    (inverse / at) * (1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse * (1 / 30 - (inverse * 5) / 66))))
  );
}

/** The x with trigamma `y` > 0, by Newton's method on 1/ψ′, which is nearly straight and convex: Smyth (2004), appendix. */
export function inverseTrigamma(y: number): number {
  let x = 0.5 + 1 / y;
  for (let step = 0; step < 50; step += 1) {
    const now = trigamma(x);
    const width = x * 1e-4;
    const slope = (trigamma(x + width) - trigamma(x - width)) / (2 * width);
    const change = (now * (1 - now / y)) / slope;
    x += change;
    if (Math.abs(change) < x * 1e-9) break;
  }
  return x;
}

export interface Scatter {
  readonly variance: number;
  /** Rounds − 1. */
  readonly degrees: number;
}

/** The usual variance of a family, worth `degrees` extra degrees of freedom to each member. */
export interface UsualScatter {
  readonly variance: number;
  readonly degrees: number;
}

/**
 * Fits a scaled inverse χ² distribution to the variances of a family by the moments of their logarithms: Smyth, "Linear Models and Empirical Bayes
 * Methods for Assessing Differential Expression in Microarray Experiments", Statistical Applications in Genetics and Molecular Biology 3 (2004),
 * section 6.2. As in limma, the family counts for at most the sum of its degrees of freedom. Correlated members count as fewer: as `independent`
 * members. A family of one gives 0 degrees.
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
 * Raises one comparison's variance to what its family makes credible, and never lowers it. Little scatter by chance gives no short interval; a truly
 * noisy comparison keeps its variance. (Smyth's estimate also lowers, which would hide a noisy comparison among quiet ones.)
 */
export function moderatedVariance(own: Scatter, usual: UsualScatter): number {
  const pooled =
    (own.degrees * own.variance + usual.degrees * usual.variance) / Math.max(1, own.degrees + usual.degrees);
  return Math.max(own.variance, pooled);
}
