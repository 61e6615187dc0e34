// What a pause costs the next bulk call, by congestion control and by what the kernel does with windows of idle connections.
import type { StudyTable } from "../view/report-table.ts";
import { configurationOf, pauseCosts, type PauseCost } from "@roundtrip/analysis";
import { studyLabel } from "../words/arm-label.ts";
import { absent, duration, interval, multiple, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, slug, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { markedTitle, withMarkNote } from "../view/unsettled-mark.ts";

/** What of its network distinguishes such a row from others of its stack: `cubic, slow start after idle off`. */
export function pauseLabel({ atOnce: { factors } }: PauseCost): string {
  const control = factors["congestionControl"];
  const restart = factors["slowStartAfterIdle"];
  return [
    ...(typeof control === "string" ? [control] : []),
    ...(typeof restart === "boolean" ? [`restart ${restart ? "on" : "off"}`] : []),
  ].join(", ");
}

const count = (value: number): string => value.toFixed(1).replace("-", "−");

/** Null when the study has no calls after a pause. */
function pauseTable({ analysis }: ReportInput, study: string): Table | null {
  const rows = pauseCosts(analysis).filter((row) => row.study === study);
  if (rows.length === 0) return null;
  const unit = timeUnitFor(rows.flatMap(({ atOnceMs, afterPauseMs }) => [atOnceMs, afterPauseMs]));
  const table: Table = {
    id: slug(`pause ${study}`),
    caption: `${studyLabel(study)}: the call after a pause, against the same call at once, in ${unit.symbol}`,
    columns: [
      column.start("stack and network"),
      column.end("at once"),
      column.end("paused"),
      column.end("ratio"),
      column.end("95 % interval"),
      column.end("trips more"),
      column.end("must be"),
    ],
    rows: rows.map((row) => {
      const title = markedTitle(analysis, row.atOnce);
      const name = pauseLabel(row);
      return {
        role: "measured",
        nested: { groupId: configurationOf(row.atOnce), group: title, name },
        cells: [
          `${title} ${name}`,
          duration(row.atOnceMs, unit),
          duration(row.afterPauseMs, unit),
          multiple(row.ratio),
          interval(row.low, row.high, multiple),
          row.moreRoundTrips === null ? absent : count(row.moreRoundTrips),
          String(row.predictedMore),
        ],
      };
    }),
    note: "Restart: slow start after idle (RFC 2861), which takes a window back to ten segments. Trips more: what the call waits for longer after the pause, in round-trip times; must be: flights of a window that doubles from there, there and back. BBR keeps its window. Ratios are of means within rounds.",
  };
  const named = rows.map(({ atOnce }) => atOnce);
  return withMarkNote(analysis, withoutEmptyColumns(table), named);
}

export const reportTable: StudyTable = {
  name: "pause",
  order: 130,
  place: "study",
  tables: (input, study) => [pauseTable(input, study.study)].filter((table) => table !== null),
};
