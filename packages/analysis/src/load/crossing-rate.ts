// The rate at which a time crosses a limit, between two rates that were measured.

export interface TimeAtRate {
  readonly rateHz: number;
  /** Natural logarithm of a time in milliseconds. */
  readonly logMs: number;
}

/**
 * The points with times made to rise with the rate, as they do but for chance: neighbours that do not are given their mean (isotonic regression by
 * pool adjacent violators: M. Ayer et al., "An Empirical Distribution Function for Sampling with Incomplete Information", Annals of
 * Mathematical Statistics 26, 1955). @param points from low to high
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

/** Where times cross the limit, on a line through their logarithm between two rates: 0 below all of them, infinite above. */
export function crossingHz(points: readonly TimeAtRate[], limitMs: number): number {
  const limit = Math.log(limitMs);
  const fitted = rising(points);
  const above = fitted.findIndex(({ logMs }) => logMs > limit);
  if (above === -1) return Number.POSITIVE_INFINITY;
  const [one, other] = [fitted[above - 1], fitted[above]];
  if (one === undefined || other === undefined) return 0;
  return one.rateHz + ((other.rateHz - one.rateHz) * (limit - one.logMs)) / (other.logMs - one.logMs);
}
