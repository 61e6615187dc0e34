// The median of a few values with a distribution-free interval. Values may be infinite.

export interface OrderStatistics {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The interval from the k-th smallest to the k-th largest value contains the median with probability 1 − 2 P(B < k), B binomial with n and ½ (W. J.
 * Conover, "Practical Nonparametric Statistics", 1999, section 3.2). k is the largest that leaves 95 %: six values give 96.9 % from the smallest to
 * the largest, five give no interval. The median of an even number is the mean of the middle two, unless one of them is 0 or infinite: then it is
 * that one.
 * @param values at least one
 */
export function orderStatisticInterval(values: readonly number[]): OrderStatistics {
  const sorted = values.toSorted((one, other) => one - other);
  const n = sorted.length;
  const middle = [sorted[Math.ceil(n / 2) - 1] ?? Number.NaN, sorted[Math.floor(n / 2)] ?? Number.NaN] as const;
  const beyond = middle.find((value) => value === 0 || !Number.isFinite(value));
  const median = beyond ?? (middle[0] + middle[1]) / 2;
  let k = 0;
  let [probability, below] = [0.5 ** n, 0];
  while (2 * k < n && 1 - 2 * (below + probability) >= 0.95) {
    below += probability;
    k += 1;
    probability *= (n - k + 1) / k;
  }
  return k === 0
    ? { median, low: null, high: null }
    : { median, low: sorted[k - 1] ?? null, high: sorted[n - k] ?? null };
}
