// Every summary in long form, one row per arm and metric, for spreadsheets and data frames.
import type { Summary } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { stringify } from "csv-stringify/sync";
import type { Format } from "../registry/format.ts";
import type { ReportInput } from "../view/report-input.ts";

const identity = [
  "study",
  "task",
  "style",
  "server",
  "client",
  "stack",
  "variant",
] as const satisfies readonly (keyof Arm)[];

const figures = [
  "n",
  "mean",
  "stddev",
  "min",
  "p25",
  "p50",
  "p75",
  "p90",
  "p95",
  "p99",
  "max",
  "whiskerLow",
  "whiskerHigh",
  "outliers",
  "meanLow",
  "meanHigh",
  "p50Low",
  "p50High",
] as const satisfies readonly (keyof Summary)[];

/** RFC 4180 with a header. Every factor of any arm is a column; an unknown figure is empty. */
function summariesCsv({ analysis }: ReportInput): string {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const factors = [...new Set(analysis.arms.flatMap((arm) => Object.keys(arm.factors)))];
  const header = ["armId", ...identity, ...factors, "metric", ...figures];
  const rows = analysis.summaries.map((row) => {
    const arm = arms.get(row.armId);
    return [
      row.armId,
      ...identity.map((column) => arm?.[column]),
      ...factors.map((factor) => arm?.factors[factor]),
      row.metric,
      ...figures.map((figure) => row[figure]),
    ];
  });
  // Formulas are escaped: an imported arm name that begins with "=" must not run in a spreadsheet.
  return stringify([header, ...rows], { cast: { boolean: String }, escape_formulas: true });
}

export const format: Format = {
  name: "csv",
  fileExtension: "csv",
  render: async (input) => Promise.resolve(summariesCsv(input)),
};
