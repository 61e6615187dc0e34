// Ratios of two runs whose rounds have nothing to do with each other, with intervals that hold together for all arms.
import { mean } from "d3-array";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { randomFrom } from "../statistics/random.ts";
import { minimumRounds, type Interval } from "../statistics/two-level-bootstrap.ts";

/** Logarithms of one metric of one arm, one for each round of a run, NaN where a round has none; rows of one run are equally long. */
export interface UnpairedRounds {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** All as logarithms of head over base. */
export interface UnpairedRatio {
  readonly centre: number;
  /** The median of all differences of a round of head and one of base (Hodges and Lehmann 1963). */
  readonly pseudoMedian: number;
  /** Null below {@link minimumRounds} rounds in either run. */
  readonly interval: Interval | null;
  readonly rounds: { readonly base: number; readonly head: number };
}

/** The 95 % point of so many moves by 1 to 2 % from seed to seed. */
const permutations = 2_000;

interface Moments {
  n: number;
  sum: number;
  squares: number;
}

/** Squared standard error of a mean; 0 for fewer than two values. */
function squaredError({ n, sum, squares }: Moments): number {
  return n < 2 ? 0 : Math.max(0, squares - (sum * sum) / n) / (n - 1) / n;
}

function momentsOf(values: readonly number[]): Moments {
  const kept = values.filter(Number.isFinite);
  const centre = mean(kept) ?? 0;
  // Around their centre the squares keep their digits.
  return { n: kept.length, sum: 0, squares: kept.reduce((sum, value) => sum + (value - centre) ** 2, 0) };
}

/** Distances from the mean of the values that there are. */
function centred(values: readonly number[]): Float64Array {
  const centre = mean(values.filter(Number.isFinite)) ?? 0;
  return Float64Array.from(values, (value) => value - centre);
}

/** |difference of means| over its standard error when round `order[k]` stands at place k, and the first `baseRounds` places are base's. */
function studentised(pool: Float64Array, order: Uint32Array, baseRounds: number): number {
  const sides: [Moments, Moments] = [
    { n: 0, sum: 0, squares: 0 },
    { n: 0, sum: 0, squares: 0 },
  ];
  for (let place = 0; place < order.length; place += 1) {
    const value = pool[order[place] as number] as number;
    if (!Number.isFinite(value)) continue;
    const side = sides[place < baseRounds ? 0 : 1];
    side.n += 1;
    side.sum += value;
    side.squares += value * value;
  }
  const [base, head] = sides;
  const error = Math.sqrt(squaredError(base) + squaredError(head));
  return error === 0 ? 0 : Math.abs(head.sum / head.n - base.sum / base.n) / error;
}

/**
 * The value that the largest |t| of all rows exceeds with probability 5 % when nothing differs: whole rounds of both runs, each row's centred
 * in its run, are dealt to the two runs anew.
 */
function criticalValue(rows: readonly UnpairedRounds[], seed: number): number {
  const random = randomFrom(seed, "unpaired rounds");
  const baseRounds = rows[0]?.base.length ?? 0;
  const pools = rows.map(({ base, head }) => Float64Array.of(...centred(base), ...centred(head)));
  const order = Uint32Array.from({ length: pools[0]?.length ?? 0 }, (_, index) => index);
  const largest = Float64Array.from({ length: permutations }, () => {
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other] as number, order[last] as number];
    }
    return pools.reduce((most, pool) => Math.max(most, studentised(pool, order, baseRounds)), 0);
  });
  return quantile(sortedCopy(largest), 0.95);
}

/** Two rounds or more of each, and enough for an interval. */
function isEnough({ base, head }: UnpairedRatio["rounds"]): boolean {
  return Math.min(base, head) >= minimumRounds;
}

/**
 * One ratio a row, with intervals that cover all true ratios together in 95 of 100 comparisons: a permutation test of the largest
 * studentised difference, turned into intervals. Permuting rounds keeps what rows have in common (Westfall and Young, "Resampling-Based
 * Multiple Testing", 1993); studentised by both variances it is exact for runs that scatter alike and right for many rounds where they do
 * not (Janssen, "Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem", Statistics &
 * Probability Letters 36, 1997; Chung and Romano, "Exact and asymptotically robust permutation tests", Annals of Statistics 41, 2013).
 * What differs between two jobs as a whole is in no round, so no such interval holds it. @param seed gives the same result again.
 */
export function unpairedRatios(rows: readonly UnpairedRounds[], seed: number): readonly UnpairedRatio[] {
  const counted = rows.map(({ base, head }) => ({
    base: base.filter(Number.isFinite).length,
    head: head.filter(Number.isFinite).length,
  }));
  const family = rows.filter((_, index) => isEnough(counted[index] as UnpairedRatio["rounds"]));
  const critical = family.length === 0 ? 0 : criticalValue(family, seed);
  return rows.map(({ base, head }, index): UnpairedRatio => {
    const rounds = counted[index] as UnpairedRatio["rounds"];
    const [of, against] = [head.filter(Number.isFinite), base.filter(Number.isFinite)];
    const centre = (mean(of) ?? Number.NaN) - (mean(against) ?? Number.NaN);
    const reach = critical * Math.sqrt(squaredError(momentsOf(base)) + squaredError(momentsOf(head)));
    const differences = of.flatMap((one) => against.map((other) => one - other));
    return {
      centre,
      pseudoMedian: differences.length === 0 ? Number.NaN : quantile(sortedCopy(differences), 0.5),
      interval: isEnough(rounds) ? { low: centre - reach, high: centre + reach } : null,
      rounds,
    };
  });
}
