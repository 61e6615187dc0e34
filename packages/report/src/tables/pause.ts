// The cost of a pause for the next bulk call, by congestion control and by the kernel's handling of idle windows.
import type { StudyTable } from "../view/run-view.ts";
import { pauseCosts, type PauseCost } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import { studyLabel } from "../words/arm-label.ts";
import { absent, duration, interval, multiple, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { markedTitle } from "../view/marks.ts";

/** The network factors that distinguish a row from others of its stack: `cubic, restart off`. */
function pauseLabel({ atOnce: { factors } }: PauseCost): string {
  const control = factors["congestionControl"];
  const restart = factors["slowStartAfterIdle"];
  return [
    ...(typeof control === "string" ? [control] : []),
    ...(typeof restart === "boolean" ? [`restart ${restart ? "on" : "off"}`] : []),
  ].join(", ");
}

const count = (value: number): string => value.toFixed(1).replace("-", "−");

function pauseTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const rows = pauseCosts(analysis).filter((row) => row.study === study);
  if (rows.length === 0) return [];
  const unit = timeUnitFor(rows.flatMap(({ atOnceMs, afterPauseMs }) => [atOnceMs, afterPauseMs]));
  const table: Table = {
    id: slug(`pause ${study}`),
    caption: `${studyLabel(study)}: the call after a pause, against the same call at once, in ${unit.symbol}`,
    columns: figureColumns("stack and network", "at once", "paused", "ratio", "95 % interval", "trips more", "must be"),
    rows: rows.map((row) => {
      const title = markedTitle(analysis, row.atOnce);
      const name = pauseLabel(row);
      const cells = [
        `${title} ${name}`,
        duration(row.atOnceMs, unit),
        duration(row.afterPauseMs, unit),
        multiple(row.ratio),
        interval(row.low, row.high, multiple),
        row.moreRoundTrips === null ? absent : count(row.moreRoundTrips),
        String(row.predictedMore),
      ];
      return measuredRow(cells, { groupId: configurationOf(row.atOnce), group: title, name });
    }),
    note: "Restart: slow start after idle (RFC 2861), which takes a window back to ten segments. Trips more: what the call waits for longer after the pause, in round-trip times; must be: flights of a window that doubles from there, there and back. BBR keeps its window. Ratios are of means within rounds.",
  };
  return [{ table: withoutEmptyColumns(table), stacks: rows.map(({ atOnce }) => atOnce) }];
}

export const reportTable: StudyTable = {
  name: "pause",
  order: 130,
  section: "study",
  tables: (input, study) => pauseTables(input, study.study),
};
