// Demands of a single caller on client and server: the input of the model of several callers.
import type { StudyTable } from "../view/report-table.ts";
import { concurrencyByTask, seriesKind } from "../rows/concurrency-rows.ts";
import { configurationOf, type ConcurrencySeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { markedTitle } from "../view/unsettled-mark.ts";

/** The demands in column order; undefined where calls were not made at once, or not after a pause. */
function demandsOf({ demands, seen: { client, server } }: ConcurrencySeries): readonly (number | undefined)[] {
  return [
    demands.roundTripMs,
    demands.clientMs,
    client.find(({ calling }) => calling === "at once")?.demandMs,
    demands.serverMs,
    server.find(({ calling }) => calling === "at once")?.demandMs,
    server.findLast(({ calling }) => calling === "after pauses")?.demandMs,
    demands.delayMs,
    demands.phaseTwoMs,
  ];
}

function demandTables(input: ReportInput, study: string): readonly NamedTable[] {
  return concurrencyByTask(input, study).flatMap((series): readonly NamedTable[] => {
    const [first] = series;
    if (first === undefined) return [];
    const unit = timeUnitFor(series.map(({ demands }) => demands.roundTripMs));
    const table: Table = {
      id: slug(`demands ${study} ${first.task}`),
      caption: `${taskLabel(first)}: demands of a call when one caller calls alone, in ${unit.symbol}`,
      columns: figureColumns(
        "stack and call",
        "round trip",
        "client CPU",
        "client CPU, at once",
        "server CPU",
        "server CPU, at once",
        "server CPU, rested",
        "delay",
        "phase two",
      ),
      rows: series.map((one) => {
        const [title, name] = [markedTitle(input.analysis, one.alone), seriesKind(one, series)];
        return measuredRow(
          [name === "" ? title : `${title}, ${name}`, ...demandsOf(one).map((ms) => duration(ms, unit))],
          name === "" ? null : { groupId: configurationOf(one.alone), group: title, name },
        );
      }),
      note: "CPU: processor time of the whole process; at once: of one of several calls that begin together; rested: after the longest pause. Delay: what neither is busy with, and nobody queues for. Phase two: processor time beyond the round trip, done after the caller has moved on or beside what the other was doing.",
    };
    return [{ table: withoutEmptyColumns(table), stacks: series.map(({ alone }) => alone) }];
  });
}

export const reportTable: StudyTable = {
  name: "demands",
  order: 60,
  section: "study",
  tables: (input, study) => demandTables(input, study.study),
};
