// Finds lasting changes of a series: E-divisive with a permutation test.
import { AnalysisError } from "../basics/analysis-error.ts";
import type { Random } from "../statistics/random.ts";
import { SplitSearch, type Split } from "./best-split.ts";

export interface ChangePointOptions {
  /** Probability of finding a change in a series without one. */
  readonly significance: number;
  /** Maximum permutations of a test: p is at least 1 / (permutations + 1). */
  readonly permutations: number;
  /** Minimum values before and after a change. A change is found once that many values have followed it. */
  readonly minimumLength: number;
}

export const changePointDefaults = {
  significance: 0.01,
  permutations: 999,
  minimumLength: 3,
} as const satisfies ChangePointOptions;

export interface ChangePoint {
  /** Of the first value after the change. */
  readonly index: number;
  /** Share of random orders of the same values with a split at least as clear. */
  readonly p: number;
}

/** A test stops after this many permutations with a split as clear: it cannot become significant, and p is precise enough. */
const enoughExceedances = 20;

/** Sums in another order differ in their last digits. */
const roundingShare = 1e-9;

class Segment {
  readonly start: number;
  readonly split: Split | null;
  readonly #search: SplitSearch;
  readonly #shuffled: Uint32Array;

  constructor(values: readonly number[], start: number, end: number, minimumLength: number) {
    this.start = start;
    this.#search = new SplitSearch(values.slice(start, end), minimumLength);
    this.#shuffled = this.#search.ranks.slice();
    this.split = this.#search.best();
  }

  /** Shuffles the values and returns the largest statistic. */
  permuted(random: Random): number {
    const order = this.#shuffled;
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other] as number, order[last] as number];
    }
    return this.#search.best(order)?.statistic ?? -Infinity;
  }
}

/**
 * Returns the share of permutations, within segments, whose largest statistic is at least this one. An early stop keeps it valid: Besag and Clifford,
 * "Sequential Monte Carlo p-values", Biometrika 78 (1991).
 */
function pValue(segments: readonly Segment[], statistic: number, permutations: number, random: Random): number {
  const limit = statistic - Math.abs(statistic) * roundingShare;
  let exceedances = 0;
  for (let done = 1; done <= permutations; done += 1) {
    const largest = Math.max(...segments.map((segment) => segment.permuted(random)));
    if (largest >= limit) exceedances += 1;
    if (exceedances === enoughExceedances) return exceedances / done;
  }
  return (exceedances + 1) / (permutations + 1);
}

/**
 * Finds the changes of a series, in its order, by E-divisive: Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", Journal of the American Statistical Association 109 (2014). Applied to benchmark histories by Daly, Brown, Ingo, O'Leary and
 * Bradford, "The Use of Change Point Detection to Identify Software Performance Regressions in a Continuous Integration System", ICPE 2020. The
 * clearest split of any segment is tested by permuting the values of each segment; a significant split divides its segment in two. Assumes no
 * distribution, but exchangeable values between changes. Throws `not-a-number` for values that are not finite.
 */
export function changePoints(
  values: readonly number[],
  { significance, permutations, minimumLength }: ChangePointOptions,
  random: Random,
): readonly ChangePoint[] {
  const odd = values.findIndex((value) => !Number.isFinite(value));
  if (odd !== -1) throw new AnalysisError("not-a-number", `value ${odd} is ${values[odd]}, not a finite number`);
  const found: ChangePoint[] = [];
  let segments = [new Segment(values, 0, values.length, minimumLength)];
  for (;;) {
    const splittable = segments.filter(({ split }) => split !== null);
    const [clearest] = splittable.toSorted(
      (one, other) => (other.split?.statistic ?? 0) - (one.split?.statistic ?? 0) || one.start - other.start,
    );
    // The statistic of equal values is only rounding error.
    if (clearest?.split == null || clearest.split.statistic <= 0) break;
    const p = pValue(splittable, clearest.split.statistic, permutations, random);
    if (p > significance) break;
    const index = clearest.start + clearest.split.index;
    found.push({ index, p });
    const place = segments.indexOf(clearest);
    const end = segments[place + 1]?.start ?? values.length;
    const parts = [[clearest.start, index] as const, [index, end] as const];
    segments = segments.toSpliced(place, 1, ...parts.map(([from, to]) => new Segment(values, from, to, minimumLength)));
  }
  return found.toSorted((one, other) => one.index - other.index);
}
