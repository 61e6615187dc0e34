// A run's medians in Bencher Metric Format, under the names that a comparison's file uses: to follow one branch over months.
import type { Summary } from "@roundtrip/analysis";
import { medianMeasure, tailMeasures } from "../comparison-formats/bencher.ts";
import type { Format } from "../registry/format.ts";

function benchmarks(summaries: readonly Summary[]): Readonly<Record<string, object>> {
  const byArm: Record<string, object> = {};
  for (const { armId, metric, ...figures } of summaries) {
    const part = { ...medianMeasure(metric, figures), ...(metric === "latencyMs" ? tailMeasures(figures) : {}) };
    if (Object.keys(part).length > 0) byArm[armId] = { ...byArm[armId], ...part };
  }
  return byArm;
}

export const format: Format = {
  name: "bencher",
  fileExtension: "bencher.json",
  render: async ({ analysis }) => Promise.resolve(`${JSON.stringify(benchmarks(analysis.summaries), null, 2)}\n`),
};
