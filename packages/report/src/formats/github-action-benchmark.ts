// A run's medians for github-action-benchmark's tool `customSmallerIsBetter`, under the names that a comparison's file uses.
import type { Metric } from "@roundtrip/analysis";
import { number } from "../basics/quantity.ts";
import type { Format } from "../registry/format.ts";

/** Latency and the server's CPU, as in a comparison's verdict. */
const charted: readonly Metric[] = ["latencyMs", "serverCpuMsPerTask"];

export const format: Format = {
  name: "github-action-benchmark",
  fileExtension: "github-action-benchmark.json",
  render: async ({ analysis }) => {
    const entries = analysis.summaries
      .filter(({ metric }) => charted.includes(metric))
      .map(({ armId, metric, p50, stddev }) => ({
        name: `${armId} ${metric}`,
        unit: "ms",
        value: p50,
        range: `± ${number(stddev)}`,
      }));
    return Promise.resolve(`${JSON.stringify(entries, null, 2)}\n`);
  },
};
