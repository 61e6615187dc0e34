// Whether our load generator reads the truth off servers whose truth is known, and what autocannon reads: docs/method.md.
import { meanIntervals } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import type { Reading } from "../processes/load-truth-process.ts";
import { runProbe } from "../run-probe.ts";

const mostOffPercent = 2;

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const seen: (readonly Reading[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    seen.push(await runProbe<readonly Reading[]>("load-truth-process"));
  }
  const rows = (seen[0] ?? []).map((_, index) => seen.flatMap((readings) => readings[index] ?? []));
  const told = meanIntervals(
    rows.map((row) => row.map(({ readMs, trueMs }) => 100 * Math.abs(readMs / trueMs - 1))),
    seed,
  );
  return rows.flatMap((row, index): readonly Figure[] => {
    const [first] = row;
    const { mean, interval } = told[index] ?? {};
    if (first === undefined || mean === undefined || interval === undefined) return [];
    const { by, server, percentile, trueMs } = first;
    const readMs = row.reduce((sum, one) => sum + one.readMs, 0) / row.length;
    const of = `${server}; ${by}: ${percentile} reads ${readMs.toFixed(1)} of ${trueMs.toFixed(1)} ms, off by`;
    return [{ of, value: mean, interval, unit: "%", atMost: by.startsWith("ours") ? mostOffPercent : undefined }];
  });
}

export const measure: Measure = {
  name: "load-truth",
  title: "what load generators read off servers whose latencies are known",
  rounds: 1,
  run,
};
