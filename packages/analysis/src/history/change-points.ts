// Where a series changes for good: E-divisive, with a permutation test before a change counts.
import { AnalysisError } from "../basics/analysis-error.ts";
import type { Random } from "../statistics/random.ts";
import { SplitSearch, type Split } from "./best-split.ts";

export interface ChangePointOptions {
  /** The probability with which a series without any change is said to have one. */
  readonly significance: number;
  /** The most that a test takes: p is never below 1 / (permutations + 1). */
  readonly permutations: number;
  /** Values before and after a change, at least: a change is seen when so many values have followed it. */
  readonly minimumLength: number;
}

/** The defaults that every command starts from. */
export const changePointDefaults = {
  significance: 0.01,
  permutations: 999,
  minimumLength: 3,
} as const satisfies ChangePointOptions;

/** A change of a series. */
export interface ChangePoint {
  /** Of the first value after it. */
  readonly index: number;
  /** How often as clear a split is found in a series of the same values in random order. */
  readonly p: number;
}

/** A test ends when so many permutations were at least as clear: it could not become significant any more, and p is known well enough. */
const enoughExceedances = 20;

/** Sums in another order differ in their last digits. */
const roundingShare = 1e-9;

/** A part of the series that no change has been found in yet. */
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

  /** The largest statistic of the same values in random order. */
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
 * The share of permutations, within segments, whose largest statistic is at least this one. Stopped early it stays valid: Besag and Clifford,
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
 * The changes of a series, in its order. E-divisive of Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", Journal of the American Statistical Association 109 (2014), as used on histories of benchmarks by Daly, Brown, Ingo,
 * O'Leary and Bradford, "The Use of Change Point Detection to Identify Software Performance Regressions in a Continuous Integration System",
 * ICPE 2020: the clearest split of any segment is tested by permuting the values of each segment, and while one is significant its segment
 * becomes two. It asks for no distribution; it does ask that values without a change could as well have come in another order.
 * Throws `not-a-number` for values that are not finite.
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
    // Equal values make no statistic but rounding.
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
