// Just enough statistics to give the fixture consistent numbers; the real ones are the analysis package's.
import type { Distribution, Metric, Summary } from "@roundtrip/analysis";

/** A small seeded generator (mulberry32): the fixture is the same on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` right-skewed latencies around `medianMs`, with a rare long tail. */
export function latencies(medianMs: number, count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const tail = random() < 0.008 ? 1 + 14 * random() ** 3 : 1;
    return medianMs * Math.exp(0.16 * normal) * tail;
  });
}

const at = (sorted: readonly number[], fraction: number): number => {
  const place = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(place)] ?? 0;
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place % 1);
};

export function summarise(armId: string, metric: Metric, values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
  const stddev = n < 2 ? 0 : Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  const [p25, p50, p75] = [at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75)];
  const inside = sorted.filter((value) => value >= p25 - 1.5 * (p75 - p25) && value <= p75 + 1.5 * (p75 - p25));
  return {
    armId,
    metric,
    n,
    mean,
    stddev,
    min: at(sorted, 0),
    p25,
    p50,
    p75,
    p90: at(sorted, 0.9),
    p95: at(sorted, 0.95),
    p99: at(sorted, 0.99),
    max: at(sorted, 1),
    whiskerLow: inside[0] ?? p25,
    whiskerHigh: inside.at(-1) ?? p75,
    outliers: n - inside.length,
    meanLow: mean * 0.975,
    meanHigh: mean * 1.027,
    p50Low: p50 * 0.98,
    p50High: p50 * 1.02,
  };
}

export function distributionOf(armId: string, values: readonly number[], rounds: number): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const { whiskerLow, whiskerHigh } = summarise(armId, "latencyMs", sorted);
  const outliers = sorted.filter((value) => value < whiskerLow || value > whiskerHigh);
  const step = Math.max(1, Math.ceil(outliers.length / 199));
  const perRound = Math.floor(values.length / rounds);
  return {
    armId,
    outliersDrawn: outliers.filter((_, index) => index % step === 0 || index === outliers.length - 1),
    letterValues:
      sorted.length < 1000
        ? []
        : [2, 3, 4, 5, 6, 7].map((depth) => ({
            depth,
            low: at(sorted, 2 ** -depth),
            high: at(sorted, 1 - 2 ** -depth),
          })),
    roundMeansMs: Array.from({ length: rounds }, (_, round) => {
      const slice = values.slice(round * perRound, (round + 1) * perRound);
      return slice.reduce((sum, value) => sum + value, 0) / slice.length;
    }),
  };
}
