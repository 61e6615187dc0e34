// The exact Mann–Whitney U test, as benchstat compares two samples.

const known = new Map<string, readonly number[]>();

/** P(U ≤ u) for each u, if both samples are from one distribution without ties: counted by the recurrence of Mann and Whitney (1947). */
function distribution(n: number, m: number): readonly number[] {
  const key = `${n} ${m}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  // counts[j][u] is the share of orders of i and j values with this u; i grows.
  let counts = Array.from({ length: m + 1 }, () => [1]);
  for (let i = 1; i <= n; i += 1) {
    const next: number[][] = [[1]];
    for (let j = 1; j <= m; j += 1) {
      const [fewer, other] = [counts[j] ?? [], next[j - 1] ?? []];
      // The largest of all values is one of the i, and then above all j, or one of the j.
      next.push(Array.from({ length: i * j + 1 }, (_, u) => (i * (fewer[u - j] ?? 0) + j * (other[u] ?? 0)) / (i + j)));
    }
    counts = next;
  }
  let sum = 0;
  const cumulated = (counts[m] ?? []).map((share) => (sum += share));
  known.set(key, cumulated);
  return cumulated;
}

/**
 * The two-sided probability of a U as far from its middle as that of these samples: Mann and Whitney, "On a Test of Whether one of Two Random
 * Variables is Stochastically Larger than the Other", Annals of Mathematical Statistics 18 (1947). For values without ties.
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  let u = 0;
  for (const x of one) for (const y of other) u += x > y ? 1 : x === y ? 0.5 : 0;
  const smaller = Math.floor(Math.min(u, one.length * other.length - u));
  return Math.min(1, 2 * (distribution(one.length, other.length)[smaller] ?? 1));
}
