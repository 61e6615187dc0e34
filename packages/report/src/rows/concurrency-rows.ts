// Series of several callers: those of each task, what distinguishes them, and which to show.
import { concurrencySeries, configurationOf, type ConcurrencySeries } from "@roundtrip/analysis";
import type { ReportInput } from "../view/report-input.ts";
import { differingText } from "./load-rows.ts";

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
