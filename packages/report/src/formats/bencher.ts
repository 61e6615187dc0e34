// A run's medians in Bencher Metric Format, under the names that a comparison's file uses: to follow one branch over months.
import type { Summary } from "@roundtrip/analysis";
import { measures, nsPerMs } from "../comparison-formats/bencher.ts";
import type { Format } from "../registry/format.ts";

type Measures = Readonly<Record<string, { value: number; lower_value?: number; upper_value?: number }>>;

function measuresOf(name: string, summary: Summary): Measures {
  const { p50, p50Low, p50High, p99, mean } = summary;
  return {
    [name]: {
      value: p50 * nsPerMs,
      ...(p50Low === null ? {} : { lower_value: p50Low * nsPerMs }),
      ...(p50High === null ? {} : { upper_value: p50High * nsPerMs }),
    },
    ...(summary.metric === "latencyMs" ? { "latency-mean": { value: mean * nsPerMs } } : {}),
    ...(summary.metric === "latencyMs" && p99 !== null ? { "latency-p99": { value: p99 * nsPerMs } } : {}),
  };
}

function benchmarks(summaries: readonly Summary[]): Readonly<Record<string, Measures>> {
  const byArm: Record<string, Measures> = {};
  for (const summary of summaries) {
    const name = measures[summary.metric];
    if (name !== undefined) byArm[summary.armId] = { ...byArm[summary.armId], ...measuresOf(name, summary) };
  }
  return byArm;
}

export const format: Format = {
  name: "bencher",
  fileExtension: "bencher.json",
  mediaType: "application/json",
  render: async ({ analysis }) => Promise.resolve(`${JSON.stringify(benchmarks(analysis.summaries), null, 2)}\n`),
};
