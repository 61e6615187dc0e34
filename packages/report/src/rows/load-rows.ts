// What series and rates of a study of load are called, in tables and pictures alike.
import { configurationOf, workFactors, type Arm, type LoadSeries } from "@roundtrip/analysis";
import { factorValue } from "../words/arm-label.ts";
import type { ReportInput } from "../view/report-input.ts";
import { markedTitle } from "../view/unsettled-mark.ts";

/** What sets an arm's tasks off: no part of its name where its rate is shown separately. */
const paceFactors = ["arrivals", "rateHz"];

/** The series of each task that was called at several rates, task by task. */
export function loadedTasks(series: readonly LoadSeries[]): readonly (readonly LoadSeries[])[] {
  return [...Map.groupBy(series, ({ study, task }) => `${study} ${task}`).values()];
}

/** Factors in words, those that any of these arms differ in. */
export function differingText(arm: Arm, arms: readonly Arm[], without: readonly string[] = []): string {
  const differing = Object.entries(workFactors(arm)).filter(
    ([factor, value]) => !without.includes(factor) && arms.some((other) => other.factors[factor] !== value),
  );
  return differing.map(([factor, value]) => factorValue(factor, value)).join(", ");
}

/** `gRPC`, or `gRPC, threads: 4` where series differ in that. */
export function seriesTitle({ analysis }: ReportInput, { alone, study, task }: LoadSeries): string {
  const beside = analysis.loadSeries.filter((series) => series.study === study && series.task === task);
  const differing = differingText(
    alone,
    beside.map((series) => series.alone),
    paceFactors,
  );
  return [markedTitle(analysis, alone), ...(differing === "" ? [] : [differing])].join(", ");
}

/** What has that name, by its stack: two stacks may be called alike. */
export function seriesId(input: ReportInput, series: LoadSeries): string {
  return JSON.stringify([configurationOf(series.alone), seriesTitle(input, series)]);
}

/** `210/s`, for a row's name. */
export function rateName(rateHz: number): string {
  return `${rateHz.toLocaleString("en-US")}/s`;
}

/** `210 per second`. */
export function rateText(rateHz: number): string {
  return `${rateHz.toLocaleString("en-US")} per second`;
}
