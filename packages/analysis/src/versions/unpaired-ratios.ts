// Ratios of two runs with unpaired rounds, with intervals that are simultaneous over all arms.
import { mean } from "d3-array";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { randomFrom } from "../statistics/random.ts";
import { minimumRounds, type Interval } from "../statistics/student-t.ts";

/** Logarithms of one metric of one arm, one per round of a run; NaN where a round has none. Rows of one run have equal lengths. */
export interface UnpairedRounds {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** All as logarithms of head over base. */
export interface UnpairedRatio {
  readonly centre: number;
  /** The median of all differences of a head round and a base round (Hodges and Lehmann 1963). */
  readonly pseudoMedian: number;
  /** Null below {@link minimumRounds} rounds in either run. */
  readonly interval: Interval | null;
  readonly rounds: { readonly base: number; readonly head: number };
}

/** The 95 % point of this many resamples varies by 1 to 2 % between seeds. */
const resamples = 2_000;

interface Moments {
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
}

function squaredError({ n, sum, squares }: Moments): number {
  return n < 2 ? 0 : Math.max(0, squares - (sum * sum) / n) / (n - 1) / n;
}

function momentsOf(values: readonly number[]): Moments {
  const kept = values.filter(Number.isFinite);
  const centre = mean(kept) ?? 0;
  // Centring keeps the precision of the squares.
  return { n: kept.length, sum: 0, squares: kept.reduce((sum, value) => sum + (value - centre) ** 2, 0) };
}

/** Deviations of the existing values from their mean, and figures that sign flips do not change. */
interface Residuals {
  /** One per round; 0 for a round without a value. */
  readonly values: Float64Array;
  readonly n: number;
  readonly squares: number;
}

function residualsOf(given: readonly number[]): Residuals {
  const kept = given.filter(Number.isFinite);
  const centre = mean(kept) ?? 0;
  const values = Float64Array.from(given, (value) => (Number.isFinite(value) ? value - centre : 0));
  return { values, n: kept.length, squares: values.reduce((sum, value) => sum + value * value, 0) };
}

function flipped({ values, n, squares }: Residuals, signs: Int8Array): Moments {
  let sum = 0;
  for (let round = 0; round < values.length; round += 1) sum += (values[round] as number) * (signs[round] as number);
  return { n, sum, squares };
}

function studentised(base: Moments, head: Moments): number {
  const error = Math.sqrt(squaredError(base) + squaredError(head));
  return error === 0 ? 0 : Math.abs(head.sum / head.n - base.sum / base.n) / error;
}

/** The value that the largest |t| of all rows exceeds with probability 5 % when nothing differs. Whole rounds are sign-flipped at random. */
function criticalValue(rows: readonly UnpairedRounds[], seed: number): number {
  const random = randomFrom(seed, "unpaired rounds");
  const residuals = rows.map(({ base, head }) => ({ base: residualsOf(base), head: residualsOf(head) }));
  const signs = {
    base: new Int8Array(rows[0]?.base.length ?? 0),
    head: new Int8Array(rows[0]?.head.length ?? 0),
  };
  const largest = Float64Array.from({ length: resamples }, () => {
    for (const side of [signs.base, signs.head]) {
      for (let round = 0; round < side.length; round += 1) side[round] = random() < 0.5 ? -1 : 1;
    }
    return residuals.reduce(
      (most, { base, head }) => Math.max(most, studentised(flipped(base, signs.base), flipped(head, signs.head))),
      0,
    );
  });
  return quantile(sortedCopy(largest), 0.95);
}

function isEnough({ base, head }: UnpairedRatio["rounds"]): boolean {
  return Math.min(base, head) >= minimumRounds;
}

/**
 * Returns one ratio per row, with intervals that contain all true ratios together in 95 of 100 comparisons. They are studentised differences of
 * means. Their critical value is the largest under random signs of whole rounds around each run's own mean (a wild bootstrap: Davidson and Flachaire,
 * "The wild bootstrap, tamed at last", Journal of Econometrics 146, 2008; for the largest of many: Chernozhukov, Chetverikov and Kato, Annals of
 * Statistics 41, 2013). This keeps the correlation of rows within rounds and the scatter of each run. Differences between two jobs as a whole are
 * outside these intervals.
 * @param seed gives the same result again.
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
