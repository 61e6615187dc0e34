// Every summary in long form, one row per arm and metric: what a spreadsheet or a data frame wants.
import { stringify } from "csv-stringify/sync";
import type { Summary } from "@roundtrip/analysis";
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

/** RFC 4180 with a header. Every factor of any arm is a column; a figure that is not known is empty. */
export function summariesCsv({ analysis }: ReportInput): string {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const factors = [...new Set(analysis.arms.flatMap((arm) => Object.keys(arm.factors)))];
  const header = [
    "armId",
    "study",
    "task",
    "style",
    "server",
    "client",
    "stack",
    "variant",
    ...factors,
    "metric",
    ...figures,
  ];
  const rows = analysis.summaries.map((row) => {
    const arm = arms.get(row.armId);
    return [
      row.armId,
      arm?.study,
      arm?.task,
      arm?.style,
      arm?.server,
      arm?.client,
      arm?.stack,
      arm?.variant,
      ...factors.map((factor) => arm?.factors[factor]),
      row.metric,
      ...figures.map((figure) => row[figure]),
    ];
  });
  // What is concluded from several arms belongs to none of them: the means of metrics of their own.
  const overDistance = analysis.roundTrips.flatMap((row) => {
    const { study, task, style, server, client, stack, variant, isFirstCall } = row;
    const { rounds: n, perCall, low, high, predicted, predictedMost } = row;
    const arm = arms.get(row.armIds[0] ?? "");
    const held = factors.map((factor) => (factor === "rttMs" ? undefined : arm?.factors[factor]));
    const name = isFirstCall ? "roundTripsOfFirstCall" : "roundTripsPerCall";
    const line = (metric: string, values: Readonly<Record<string, number | null>>): readonly unknown[] => [
      "",
      study,
      task,
      style,
      server,
      client,
      stack,
      variant,
      ...held,
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
  });
  // Formulas are escaped: a foreign arm name that begins with "=" must not run in a spreadsheet.
  return stringify([header, ...rows, ...overDistance], { cast: { boolean: String }, escape_formulas: true });
}
