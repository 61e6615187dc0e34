// The number of attributes from which one coarse call is faster than many fine ones.
import type { StudyTable } from "../view/run-view.ts";
import type { BreakEven } from "@roundtrip/analysis";
import { factorValue, studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, duration, interval, number, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, measuredRow, slug, type NamedTable, type Table } from "../basics/table.ts";
import { markedTitle } from "../view/marks.ts";

function distanceOf({ factors }: BreakEven): readonly string[] {
  return factors["rttMs"] === undefined ? [] : [factorValue("rttMs", factors["rttMs"])];
}

function breakEvenTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const rows = analysis.breakEvens.filter((row) => row.study === study);
  if (rows.length === 0) return [];
  const unit = timeUnitFor(rows.map((row) => row.chattyMsPerAttribute));
  const table: Table = {
    id: slug(`break even ${study}`),
    caption: `${studyLabel(study)}: from how many attributes on the façade is faster`,
    columns: [
      column.start("task and stack"),
      column.start("against"),
      column.end("break-even"),
      column.end("95 % interval"),
      column.end(`façade, ${unit.symbol} per attribute`),
      column.end(`chatty, ${unit.symbol} per attribute`),
    ],
    rows: rows.map((row) =>
      measuredRow([
        [row.task, markedTitle(analysis, row), ...distanceOf(row)].join(", "),
        variantLabel(row.against),
        row.attributes === null ? (row.always ? "always faster" : "never") : number(row.attributes),
        row.attributes === null ? absent : interval(row.low, row.high, number),
        duration(row.facadeMsPerAttribute, unit),
        duration(row.chattyMsPerAttribute, unit),
      ]),
    ),
    note: "Where the lines fitted through both variants cross.",
  };
  return [{ table, stacks: rows }];
}

export const reportTable: StudyTable = {
  name: "break-even",
  order: 90,
  section: "study",
  tables: (input, study) => breakEvenTables(input, study.study),
};
