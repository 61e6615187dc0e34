// What calls demand of client and server when one caller calls alone: what the model of several callers is fed with.
import type { StudyTable } from "../view/report-table.ts";
import { concurrencyByTask, seriesKind } from "../rows/concurrency-rows.ts";
import { configurationOf, type ConcurrencySeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, slug, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { markedTitle, withMarkNote } from "../view/unsettled-mark.ts";

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
function demandTables(input: ReportInput, study: string): readonly Table[] {
  return concurrencyByTask(input, study).flatMap((series): readonly Table[] => {
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
        const [title, name] = [markedTitle(input.analysis, one.alone), seriesKind(one, series)];
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

export const reportTable: StudyTable = {
  name: "demands",
  order: 60,
  place: "study",
  tables: (input, study) => demandTables(input, study.study),
};
