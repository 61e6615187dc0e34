// The rate at which a time crosses a limit, between two measured rates.

export interface TimeAtRate {
  readonly rateHz: number;
  /** Natural logarithm of a time in milliseconds. */
  readonly logMs: number;
}

/**
 * Returns the points with times that rise with the rate; only chance makes them fall. Neighbours that fall get their mean (isotonic regression by
 * pool adjacent violators: M. Ayer et al., "An Empirical Distribution Function for Sampling with Incomplete Information", Annals of Mathematical
 * Statistics 26, 1955).
 * @param points from low to high
 */
export function rising(points: readonly TimeAtRate[]): readonly TimeAtRate[] {
  const pools: { sum: number; count: number }[] = [];
  for (const { logMs } of points) {
    let pool = { sum: logMs, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum / last.count > pool.sum / pool.count;) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
      last = pools.at(-1);
    }
    pools.push(pool);
  }
  const fitted = pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  return points.map(({ rateHz }, index) => ({ rateHz, logMs: fitted[index] as number }));
}

/** Returns the rate where times cross the limit, by interpolation of their logarithm: 0 below all rates, infinite above. */
export function crossingHz(points: readonly TimeAtRate[], limitMs: number): number {
  const limit = Math.log(limitMs);
  const fitted = rising(points);
  const above = fitted.findIndex(({ logMs }) => logMs > limit);
  if (above === -1) return Number.POSITIVE_INFINITY;
  const [one, other] = [fitted[above - 1], fitted[above]];
  if (one === undefined || other === undefined) return 0;
  return one.rateHz + ((other.rateHz - one.rateHz) * (limit - one.logMs)) / (other.logMs - one.logMs);
}
