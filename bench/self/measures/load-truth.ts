// Whether our load generator measures known delays correctly, compared with autocannon: docs/method.md.
import { meanIntervals, type Figure, type Measure, type MeasureOptions } from "../measure.ts";
import type { Reading } from "../processes/load-truth-process.ts";
import { runProbe } from "../probe.ts";

/** The maximum error in per cent of our generator and, half of that, of the server's own clock: a wrong delay cannot be measured correctly. */
const mostOffPercent = { ours: 2, server: 1, autocannon: undefined } as const;

const byWords = { ours: "ours", server: "the server's own clock", autocannon: "autocannon" } as const;

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const seen: (readonly Reading[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    seen.push(await runProbe<readonly Reading[]>("load-truth-process"));
  }
  const rows = (seen[0] ?? []).map((_, index) => seen.flatMap((readings) => readings[index] ?? []));
  // For a delay of 0 the figure is the round-trip time in milliseconds.
  const computed = meanIntervals(
    rows.map((row) => row.map(({ readMs, trueMs }) => (trueMs === 0 ? readMs : 100 * Math.abs(readMs / trueMs - 1)))),
    seed,
  );
  return rows.flatMap((row, index): readonly Figure[] => {
    const [first] = row;
    const { mean, interval } = computed[index] ?? {};
    if (first === undefined || mean === undefined || interval === undefined) return [];
    const { by, load, server, percentile, trueMs } = first;
    const of = `${server}; ${byWords[by]}, ${load}: ${percentile}`;
    if (trueMs === 0) return [{ of, value: mean, interval, unit: "ms", atMost: undefined }];
    const readMs = row.reduce((sum, one) => sum + one.readMs, 0) / row.length;
    const off = `${of} reads ${readMs.toFixed(1)} of ${trueMs.toFixed(1)} ms, off by`;
    return [{ of: off, value: mean, interval, unit: "%", atMost: mostOffPercent[by] }];
  });
}

export const measure: Measure = {
  name: "load-truth",
  title: "what load generators read off servers whose latencies are known",
  rounds: 1,
  run,
};
