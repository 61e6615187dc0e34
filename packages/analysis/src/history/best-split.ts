// Finds the clearest split of a series in two, by energy statistics.

export interface Split {
  /** Of the first value after the split. */
  readonly index: number;
  /** Distance of the two sides: about 0 where they are alike. */
  readonly statistic: number;
}

/** Counts and sums of the values seen so far below any rank: a pair of binary indexed trees (Fenwick 1994). */
class SeenBelow {
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  constructor(ranks: number) {
    this.#counts = new Float64Array(ranks + 1);
    this.#sums = new Float64Array(ranks + 1);
  }

  clear(): void {
    this.#counts.fill(0);
    this.#sums.fill(0);
  }

  /** Adds a value and returns the sum of its distances from `seen` earlier values, whose sum is `total`. */
  add(rank: number, value: number, seen: number, total: number): number {
    let [count, sum] = [0, 0];
    for (let at = rank; at > 0; at -= at & -at) {
      count += this.#counts[at] as number;
      sum += this.#sums[at] as number;
    }
    for (let at = rank + 1; at < this.#counts.length; at += at & -at) {
      (this.#counts[at] as number) += 1;
      (this.#sums[at] as number) += value;
    }
    return value * count - sum + (total - sum) - value * (seen - count);
  }
}

/** A series prepared to find its splits, and those of any order of its values, in n log n steps. */
export class SplitSearch {
  /** Ascending and centred: distances are the same, and sums keep their precision. */
  readonly #sorted: Float64Array;
  /** The rank of each value, in the series' order. */
  readonly ranks: Uint32Array;
  readonly #seen: SeenBelow;
  readonly #before: Float64Array;
  readonly #minimumLength: number;

  /** @param minimumLength values on each side, at least 2. */
  constructor(values: readonly number[], minimumLength: number) {
    const centre = values.reduce((sum, value) => sum + value / values.length, 0);
    const places = values
      .map((_, index) => index)
      .toSorted((one, other) => (values[one] as number) - (values[other] as number) || one - other);
    this.#sorted = Float64Array.from(places, (place) => (values[place] as number) - centre);
    this.ranks = new Uint32Array(values.length);
    for (const [rank, place] of places.entries()) this.ranks[place] = rank;
    this.#seen = new SeenBelow(values.length);
    this.#before = new Float64Array(values.length + 1);
    this.#minimumLength = minimumLength;
  }

  /**
   * Returns the split of these ranks with the largest statistic; null for a series that is too short. With X before and Y after it, m and n values,
   * the statistic is mn/(m+n) times the energy distance 2 E|X−Y| − E|X−X'| − E|Y−Y'|: equation 7 of Matteson and James, "A Nonparametric Approach for
   * Multiple Change Point Analysis of Multivariate Data", Journal of the American Statistical Association 109 (2014), with exponent 1.
   */
  best(ranks: Uint32Array = this.ranks): Split | null {
    const length = ranks.length;
    const minimum = this.#minimumLength;
    if (length < 2 * minimum) return null;
    const before = this.#before;
    this.#seen.clear();
    let total = 0;
    for (let at = 0; at < length; at += 1) {
      const rank = ranks[at] as number;
      const value = this.#sorted[rank] as number;
      before[at + 1] = (before[at] as number) + this.#seen.add(rank, value, at, total);
      total += value;
    }
    const all = before[length] as number;
    this.#seen.clear();
    let [after, sumAfter, index, statistic] = [0, 0, minimum, -Infinity];
    for (let at = length - 1; at >= minimum; at -= 1) {
      const rank = ranks[at] as number;
      const value = this.#sorted[rank] as number;
      const [m, n] = [at, length - at];
      after += this.#seen.add(rank, value, n - 1, sumAfter);
      sumAfter += value;
      if (n < minimum) continue;
      const inside = before[at] as number;
      const between = all - inside - after;
      const distance = (2 * between) / (m * n) - (2 * inside) / (m * (m - 1)) - (2 * after) / (n * (n - 1));
      const found = ((m * n) / (m + n)) * distance;
      if (found >= statistic) [index, statistic] = [at, found];
    }
    return { index, statistic };
  }
}
