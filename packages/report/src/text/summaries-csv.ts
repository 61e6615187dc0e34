// Every summary in long form, one row per arm and metric, for spreadsheets and data frames.
import { stringify } from "csv-stringify/sync";
import type { RoundTrips, Summary } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";

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

/** The columns that identify an arm, or a conclusion from several arms of one stack. */
const identity = [
  "study",
  "task",
  "style",
  "server",
  "client",
  "stack",
  "variant",
] as const satisfies readonly (keyof Arm & keyof RoundTrips)[];

type Cells = readonly unknown[];

/** Conclusions from several arms belong to none of them: they become means of separate metrics. */
function overDistance(row: RoundTrips, factors: Cells): readonly Cells[] {
  const { rounds: n, perCall, low, high, predicted, predictedMost } = row;
  const name = row.isFirstCall ? "roundTripsOfFirstCall" : "roundTripsPerCall";
  const line = (metric: string, values: Readonly<Record<string, number | null>>): Cells => [
    "",
    ...identity.map((column) => row[column]),
    ...factors,
    metric,
    ...figures.map((figure) => values[figure]),
  ];
  return [
    line(name, { n, mean: perCall, meanLow: low, meanHigh: high }),
    line(`${name}Predicted`, { mean: predicted, min: predicted, max: predictedMost }),
    line(`${name}InterceptMs`, {
      n,
      mean: row.interceptMs,
      meanLow: row.interceptLowMs,
      meanHigh: row.interceptHighMs,
    }),
  ];
}

/** RFC 4180 with a header. Every factor of any arm is a column; an unknown figure is empty. */
export function summariesCsv({ analysis }: ReportInput): string {
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
  const concluded = analysis.roundTrips.flatMap((row) => {
    const arm = arms.get(row.armIds[0] ?? "");
    const ofWork = factors.map((factor) => (factor === "rttMs" ? undefined : arm?.factors[factor]));
    return overDistance(row, ofWork);
  });
  // Formulas are escaped: an imported arm name that begins with "=" must not run in a spreadsheet.
  return stringify([header, ...rows, ...concluded], { cast: { boolean: String }, escape_formulas: true });
}
