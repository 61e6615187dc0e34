// Simultaneous 95 % intervals of one table: all contain their true values together in 95 of 100 runs. By max-T from six rounds on, with standard errors
// that the family makes credible; by Student's t with Bonferroni's level from three.
import { mean, variance } from "d3-array";
import { randomGamma, randomNormal } from "d3-random";
import { selectQuantile } from "./describe-samples.ts";
import type { Random } from "./random.ts";
import { minimumRounds, tInterval, type Interval } from "./student-t.ts";

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

/** Simulated draws for the critical value, divided over the family: its standard deviation between seeds is 0.7 to 1 %. */
const defaultDraws = 60_000;
const fewestDraws = 2_000;
const mostDraws = 50_000;

export interface MaxTOptions {
  /** Draws for the critical value, divided over the family. More draws are more precise and slower. */
  readonly totalDraws?: number | undefined;
  /** Probability that any interval of the family misses its mean; 0.05 unless the family shares it with others. */
  readonly errorRate?: number;
}

interface Member {
  readonly centre: number;
  readonly scatter: Scatter;
  readonly rounds: number;
  /** Deviations from the centre, scaled to length 1; 0 where a round is missing. */
  readonly direction: Float64Array;
}

function memberOf(values: readonly number[]): Member | null {
  const kept = values.filter(Number.isFinite);
  if (kept.length < minimumRounds) return null;
  const centre = mean(kept) as number;
  const spread = variance(kept) as number;
  const length = Math.sqrt(spread * (kept.length - 1));
  return {
    centre,
    scatter: { variance: spread, degrees: kept.length - 1 },
    rounds: kept.length,
    direction: Float64Array.from(values, (value) =>
      Number.isFinite(value) && length > 0 ? (value - centre) / length : 0,
    ),
  };
}

interface Dependence {
  /** 1 ignores all observed correlations, 0 trusts them. */
  readonly independenceWeight: number;
  /** The equivalent number of independent members. */
  readonly independent: number;
}

interface Family {
  readonly members: readonly Member[];
  readonly dependence: Dependence;
  /** Degrees of freedom that the usual scatter of the family adds to each member. */
  readonly usualDegrees: number;
}

/**
 * Computes how far to trust correlations from few rounds: the weight on independence that minimises the expected squared error, Schäfer and Strimmer,
 * "A Shrinkage Approach to Large-Scale Covariance Matrix Estimation", Statistical Applications in Genetics and Molecular Biology 4 (2005), target
 * "identity", with Var(r) ≈ (1 − r²)² / (n − 1). Two variance estimates correlate by r², so m members count as m² / ΣΣ r².
 */
function dependenceOf(members: readonly Member[]): Dependence {
  let noise = 0;
  let signal = 0;
  members.forEach((one, index) => {
    for (const other of members.slice(index + 1)) {
      const correlation = one.direction.reduce((sum, value, round) => sum + value * (other.direction[round] ?? 0), 0);
      noise += (1 - correlation ** 2) ** 2 / Math.min(one.scatter.degrees, other.scatter.degrees);
      signal += correlation ** 2;
    }
  });
  const independenceWeight = signal > 0 ? Math.min(1, noise / signal) : 1;
  const size = members.length;
  return { independenceWeight, independent: size ** 2 / (size + 2 * (1 - independenceWeight) ** 2 * signal) };
}

/**
 * Returns the value that the largest |t| of the family exceeds with the probability `errorRate` when nothing differs. Simulates a multivariate t
 * distribution with the family's (shrunk) correlations and each member's degrees of freedom. Hothorn, Bretz and Westfall, "Simultaneous Inference in
 * General Parametric Models", Biometrical Journal 50 (2008). Variances are drawn independently, which is conservative.
 */
function criticalValue(
  { members, dependence: { independenceWeight }, usualDegrees }: Family,
  random: Random,
  { totalDraws = defaultDraws, errorRate = 0.05 }: MaxTOptions,
): number {
  const normal = randomNormal.source(random)(0, 1);
  const shared = Math.sqrt(1 - independenceWeight);
  const own = Math.sqrt(independenceWeight);
  const marginals = members.map(({ scatter, direction }) => {
    const degrees = scatter.degrees + usualDegrees;
    const gamma = randomGamma.source(random)(degrees / 2, 2);
    return { degrees, gamma, weights: direction.map((value) => shared * value) };
  });
  const common = new Float64Array(shared > 0 ? Math.max(...members.map(({ direction }) => direction.length)) : 0);
  const draws = Math.round(Math.min(mostDraws, Math.max(fewestDraws, totalDraws / members.length)));
  const largest = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    for (let round = 0; round < common.length; round += 1) common[round] = normal();
    let most = 0;
    for (const { degrees, gamma, weights } of marginals) {
      let z = own * normal();
      for (let round = 0; round < common.length; round += 1) {
        z += (weights[round] as number) * (common[round] as number);
      }
      most = Math.max(most, Math.abs(z) / Math.sqrt(gamma() / degrees));
    }
    largest[draw] = most;
  }
  return selectQuantile(largest, 1 - errorRate);
}

/**
 * Returns intervals for the means of several series, simultaneous over the family. Rows have equal length, one column per round, NaN where a round is
 * missing. A series of fewer than {@link minimumRounds} rounds gets null and does not count.
 */
export function maxTIntervals(
  family: readonly (readonly number[])[],
  random: Random,
  options: MaxTOptions = {},
): readonly (Interval | null)[] {
  const all = family.map(memberOf);
  const members = all.filter((member) => member !== null);
  if (members.length === 0) return all.map(() => null);
  const dependence = dependenceOf(members);
  const usual = usualScatter(
    members.map((member) => member.scatter),
    dependence.independent,
  );
  const critical = criticalValue({ members, dependence, usualDegrees: usual.degrees }, random, options);
  return all.map((member) => {
    if (member === null) return null;
    const halfWidth = critical * Math.sqrt(moderatedVariance(member.scatter, usual) / member.rounds);
    return { low: member.centre - halfWidth, high: member.centre + halfWidth };
  });
}

/** Two rounds leave one degree of freedom: the interval of a family of three would extend 38 standard errors to either side. */
export const fewestRounds = 3;

const errorRate = 0.05;

/** `max-t` from {@link minimumRounds} rounds on; with fewer `student-t`, which assumes independent rounds with normal noise. */
export type IntervalBasis = "max-t" | "student-t";

export interface BasedInterval extends Interval {
  readonly basis: IntervalBasis;
}

/**
 * Returns intervals for the means of several series. Rows have equal length, one column per round, NaN where a round is missing. A series of fewer
 * than {@link fewestRounds} rounds gets null and does not count. From three to five rounds an interval is Student's t at 1 − 0.05 / family. This
 * Bonferroni correction is valid under any dependence; so few rounds allow no estimate of correlations or of the family's usual scatter. In a mixed
 * family the longer series share the rest of the error rate.
 * @param totalDraws trades precision of the critical value of max-T for time
 */
export function simultaneousIntervals(
  family: readonly (readonly number[])[],
  random: Random,
  totalDraws?: number,
): readonly (BasedInterval | null)[] {
  const rounds = family.map((values) => values.filter(Number.isFinite));
  const size = rounds.filter(({ length }) => length >= fewestRounds).length;
  const long = rounds.filter(({ length }) => length >= minimumRounds).length;
  const ofLong = maxTIntervals(family, random, { totalDraws, errorRate: (errorRate * long) / size });
  return rounds.map((values, index) => {
    const interval = ofLong[index];
    if (interval) return { ...interval, basis: "max-t" };
    const short = tInterval(values, 1 - errorRate / size, fewestRounds);
    return short && { ...short, basis: "student-t" };
  });
}
