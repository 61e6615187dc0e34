// Several callers who think between their calls, as the study of 1996 showed them: demands that one caller has, and what a model makes of them
// beside what was measured.
import {
  concurrencySeries,
  configurationOf,
  listed,
  predictionErrors,
  threeDigits,
  type ConcurrencySeries,
} from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { absent, duration, number, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, slug, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { markedTitle, withMarkNote } from "../view/unsettled-mark.ts";
import { differingText } from "../rows/load-rows.ts";

const loadFactors = ["callers", "thinkMs", "thinkTime"];

/** What sets series of one stack apart: `packets: 3`; empty where nothing does. */
function kindOf({ alone }: ConcurrencySeries, all: readonly ConcurrencySeries[]): string {
  return differingText(
    alone,
    all.map((series) => series.alone),
    loadFactors,
  );
}

/** The series of one study, task by task. */
function byTask({ analysis }: ReportInput, study: string): readonly (readonly ConcurrencySeries[])[] {
  const ofStudy = concurrencySeries(analysis).filter((series) => series.study === study);
  return [...Map.groupBy(ofStudy, ({ task }) => task).values()];
}

/** What calls take where several are made at once, and after the longest pause; undefined where that was not measured. */
function extremesOf({
  seen: { client, server },
}: ConcurrencySeries): Readonly<
  Record<"clientTogetherMs" | "serverTogetherMs" | "serverRestedMs", number | undefined>
> {
  return {
    clientTogetherMs: client.find(({ calling }) => calling === "at once")?.demandMs,
    serverTogetherMs: server.find(({ calling }) => calling === "at once")?.demandMs,
    serverRestedMs: server.findLast(({ calling }) => calling === "after pauses")?.demandMs,
  };
}

/** The demands that the model was fed with. */
export function demandTables(input: ReportInput, study: string): readonly Table[] {
  return byTask(input, study).flatMap((series): readonly Table[] => {
    const [first] = series;
    if (first === undefined) return [];
    const unit = timeUnitFor(series.map(({ demands }) => demands.roundTripMs));
    const table: Table = {
      id: slug(`demands ${study} ${first.task}`),
      caption: `${taskLabel(first)}: demands of a call when one caller calls alone, in ${unit.symbol}`,
      columns: [
        column.start("stack and call"),
        column.end("round trip"),
        column.end("client CPU"),
        column.end("client CPU, at once"),
        column.end("server CPU"),
        column.end("server CPU, at once"),
        column.end("server CPU, rested"),
        column.end("delay"),
        column.end("phase two"),
      ],
      rows: series.map((one) => {
        const { roundTripMs, clientMs, serverMs, delayMs, phaseTwoMs } = one.demands;
        const { clientTogetherMs, serverTogetherMs, serverRestedMs } = extremesOf(one);
        const [title, name] = [markedTitle(input.analysis, one.alone), kindOf(one, series)];
        return {
          role: "measured",
          nested: name === "" ? null : { groupId: configurationOf(one.alone), group: title, name },
          cells: [
            name === "" ? title : `${title}, ${name}`,
            ...[
              roundTripMs,
              clientMs,
              clientTogetherMs,
              serverMs,
              serverTogetherMs,
              serverRestedMs,
              delayMs,
              phaseTwoMs,
            ].map((ms) => duration(ms, unit)),
          ],
        };
      }),
      note: "CPU: processor time of the whole process; at once: of one of several calls that begin together; rested: after the longest pause. Delay: what neither is busy with, and nobody queues for. Phase two: processor time beyond the round trip, done after the caller has moved on or beside what the other was doing.",
    };
    const named = series.map(({ alone }) => alone);
    return [withMarkNote(input.analysis, withoutEmptyColumns(table), named)];
  });
}

/** How far predictions were off on each stack, over all calls of the task; empty where nothing was predicted. */
function errorsNote({ analysis }: ReportInput, all: readonly ConcurrencySeries[]): string {
  const flagged = new Set(analysis.anomalies.flatMap(({ armIds }) => armIds));
  const stacks = predictionErrors(all, flagged);
  if (stacks.length === 0) return "";
  const each = stacks.map(({ title, median, largest, medianOfOthers, flagged: anomalies }) => {
    const others = medianOfOthers === null || anomalies === 0 ? "" : `${percent(medianOfOthers)} without anomalies, `;
    return `${percent(median)} over ${title} (${others}largest ${percent(largest)})`;
  });
  return ` Median absolute error over all calls: ${listed(each)}.`;
}

function percent(share: number): string {
  return `${threeDigits(100 * share)} %`;
}

/** The calls that are shown where there is no room for all: those of one packet, as in 1996, or the first of each stack. */
export function standing(series: readonly ConcurrencySeries[]): readonly ConcurrencySeries[] {
  const ofOnePacket = series.filter(({ alone }) => alone.factors["packets"] === 1);
  if (ofOnePacket.length > 0) return ofOnePacket;
  return [...Map.groupBy(series, ({ alone }) => configurationOf(alone)).values()].flatMap((some) => some.slice(0, 1));
}

/** As the table of 1996: predicted, measured, standard deviation and error. */
export function concurrencyTables(input: ReportInput, study: string, extent: "all" | "short"): readonly Table[] {
  return byTask(input, study).flatMap((all): readonly Table[] => {
    const series = extent === "all" ? all : standing(all);
    const [first] = series;
    if (first === undefined) return [];
    const points = series.flatMap((one) => one.points);
    const unit = timeUnitFor(points.flatMap(({ measuredMs }) => measuredMs ?? []));
    const table: Table = {
      id: slug(`concurrency ${study} ${first.task}`),
      caption: `${taskLabel(first)}: round trips of several callers, in ${unit.symbol}`,
      columns: [
        column.start("stack and call"),
        column.end("callers"),
        column.end("think, ms"),
        column.end("predicted"),
        column.end("measured"),
        column.end("std dev"),
        column.end("error"),
      ],
      rows: series.flatMap((one) => {
        const [title, name] = [markedTitle(input.analysis, one.alone), kindOf(one, all)];
        return one.points.map(({ callers, thinkMs, predictedMs, measuredMs, stddevMs, error, isFed }) => ({
          role: "measured" as const,
          nested: name === "" ? null : { groupId: configurationOf(one.alone), group: title, name },
          cells: [
            name === "" ? title : `${title}, ${name}`,
            String(callers),
            number(thinkMs),
            duration(predictedMs, unit),
            measuredMs === null ? "void" : duration(measuredMs, unit),
            duration(stddevMs, unit),
            isFed ? "fed" : error === null ? absent : `${(100 * error).toFixed(1).replace("-", "−")} %`,
          ],
        }));
      }),
      note: `Predicted by mean value analysis from the demands of one caller (fed: the round trip of one who does not think): constant service, with what is done after the caller has moved on as a second phase. Standard deviation: of the means of rounds. Error: of the prediction, over what was measured.${errorsNote(input, all)}`,
    };
    const named = series.map(({ alone }) => alone);
    return [withMarkNote(input.analysis, withoutEmptyColumns(table), named)];
  });
}
