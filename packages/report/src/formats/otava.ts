// A run as one row for Apache Otava, which finds change points in a CSV file: the time, then the median of each arm and metric.
import { stringify } from "csv-stringify/sync";
import type { Metric } from "@roundtrip/analysis";
import type { Format } from "../registry/format.ts";

const followed: readonly Metric[] = ["latencyMs", "serverCpuMsPerTask", "clientCpuMsPerTask", "firstCallMs"];

export const format: Format = {
  name: "otava",
  fileExtension: "otava.csv",
  render: async ({ facts, analysis }) => {
    const medians = analysis.summaries.filter(({ metric }) => followed.includes(metric));
    const header = ["time", ...medians.map(({ armId, metric }) => `${armId} ${metric}`)];
    const row = [facts.startedAt, ...medians.map(({ p50 }) => p50)];
    // Formulas are escaped: an imported arm name that begins with "=" must not run in a spreadsheet.
    return Promise.resolve(stringify([header, row], { escape_formulas: true }));
  },
};
