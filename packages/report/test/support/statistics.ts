// Latencies that look like measured ones, and what the analysis would say of them: enough to give the fixture consistent numbers.
import { describeSamples, sortedCopy, type Distribution, type Metric, type Summary } from "@roundtrip/analysis";
import { quantile } from "@roundtrip/analysis/statistics";

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

/** The analysis' own description, with made-up intervals. */
export function summarise(armId: string, metric: Metric, values: readonly number[], rounds = 0): Summary {
  const description = describeSamples(sortedCopy(values));
  const { mean, p50 } = description;
  const intervals = { meanLow: mean * 0.975, meanHigh: mean * 1.027, p50Low: p50 * 0.98, p50High: p50 * 1.02 };
  const perRound = Math.floor(values.length / rounds);
  const roundMeans = Array.from({ length: rounds }, (_, round) => {
    const slice = values.slice(round * perRound, (round + 1) * perRound);
    return slice.reduce((sum, value) => sum + value, 0) / slice.length;
  });
  return { armId, metric, ...description, ...intervals, roundMeans };
}

export function distributionOf(armId: string, values: readonly number[]): Distribution {
  const sorted = sortedCopy(values);
  const { whiskerLow, whiskerHigh } = describeSamples(sorted);
  const outliers = [...sorted].filter((value) => value < whiskerLow || value > whiskerHigh);
  const step = Math.max(1, Math.ceil(outliers.length / 199));
  return {
    armId,
    outliersDrawn: outliers.filter((_, index) => index % step === 0 || index === outliers.length - 1),
    letterValues:
      sorted.length < 1000
        ? []
        : [2, 3, 4, 5, 6, 7].map((depth) => ({
            depth,
            low: quantile(sorted, 2 ** -depth),
            high: quantile(sorted, 1 - 2 ** -depth),
          })),
  };
}
