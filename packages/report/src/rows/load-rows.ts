// Rows of the load and concurrency studies.
import { concurrencySeries, type ConcurrencySeries, type LoadSeries } from "@roundtrip/analysis";
import { type Arm, configurationOf, workFactors } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { factorValue } from "../words/arm-label.ts";
import { markedTitle } from "../view/marks.ts";

const loadFactors = ["callers", "thinkMs", "thinkTime"];

/** What distinguishes series of one stack: `packets: 3`; may be empty. */
export function seriesKind({ alone }: ConcurrencySeries, all: readonly ConcurrencySeries[]): string {
  return differingText(
    alone,
    all.map((series) => series.alone),
    loadFactors,
  );
}

export function concurrencyByTask({ analysis }: ReportInput, study: string): readonly (readonly ConcurrencySeries[])[] {
  const ofStudy = concurrencySeries(analysis).filter((series) => series.study === study);
  return [...Map.groupBy(ofStudy, ({ task }) => task).values()];
}

/** The series to show where not all fit: calls of one packet, as in 1996, or the first of each stack. */
export function headlineSeries(series: readonly ConcurrencySeries[]): readonly ConcurrencySeries[] {
  const ofOnePacket = series.filter(({ alone }) => alone.factors["packets"] === 1);
  if (ofOnePacket.length > 0) return ofOnePacket;
  return [...Map.groupBy(series, ({ alone }) => configurationOf(alone)).values()].flatMap((some) => some.slice(0, 1));
}

/** Factors of the load, omitted from names where the rate is shown separately. */
const paceFactors = ["arrivals", "rateHz"];

export function loadedTasks(series: readonly LoadSeries[]): readonly (readonly LoadSeries[])[] {
  return [...Map.groupBy(series, ({ study, task }) => `${study} ${task}`).values()];
}

/** Factors as text, without those equal in all of these arms. */
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

/** Identifies a series by stack and title, since titles may repeat. */
export function seriesId(input: ReportInput, series: LoadSeries): string {
  return JSON.stringify([configurationOf(series.alone), seriesTitle(input, series)]);
}

export function rateName(rateHz: number): string {
  return `${rateHz.toLocaleString("en-US")}/s`;
}

export function rateText(rateHz: number): string {
  return `${rateHz.toLocaleString("en-US")} per second`;
}
