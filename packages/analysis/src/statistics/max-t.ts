// Simultaneous 95 % intervals: all intervals of one family contain their true values together in 95 of 100 runs.
import { mean, variance } from "d3-array";
import { randomGamma, randomNormal } from "d3-random";
import { selectQuantile } from "./describe-samples.ts";
import { moderatedVariance, usualScatter, type Scatter } from "./moderated-error.ts";
import type { Random } from "./random.ts";
import { minimumRounds, type Interval } from "./student-t.ts";

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
