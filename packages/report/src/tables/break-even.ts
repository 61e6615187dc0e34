// From which level of a factor on one coarse call is faster than another way, or up to which.
import type { StudyTable } from "../view/run-view.ts";
import type { BreakEven } from "@roundtrip/analysis";
import { factorLabel, factorValue, studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, duration, interval, number, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, measuredRow, slug, type NamedTable, type Table } from "../basics/table.ts";
import { taskText } from "../words/ratio-text.ts";
import { markedTitle } from "../view/marks.ts";

function distanceOf({ factors }: BreakEven): readonly string[] {
  return factors["rttMs"] === undefined ? [] : [factorValue("rttMs", factors["rttMs"])];
}

/** `from 3.1 attributes`, `up to 9.2 fields`, or who is always faster. Without an interval, a crossing is unclear. */
function crossingText({ at, low, high, side, always, factor }: BreakEven): string {
  if (at !== null && low !== null && high !== null)
    return `${side === "above" ? "from" : "up to"} ${number(at)} ${factorLabel(factor)}`;
  if (always === null) return `unclear by ${factorLabel(factor)}`;
  return `${always === "facade" ? "always" : "never"}, by ${factorLabel(factor)}`;
}

function breakEvenTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const rows = analysis.breakEvens.filter((row) => row.study === study);
  if (rows.length === 0) return [];
  const unit = timeUnitFor(rows.map((row) => row.otherMsPerUnit));
  const table: Table = {
    id: slug(`break even ${study}`),
    caption: `${studyLabel(study)}: from which level on the façade is faster`,
    columns: [
      column.start("task and stack"),
      column.start("against"),
      column.end("break-even"),
      column.end("95 % interval"),
      column.end(`façade, ${unit.symbol} each`),
      column.end("95 % interval"),
      column.end(`other, ${unit.symbol} each`),
    ],
    rows: rows.map((row) =>
      measuredRow([
        [taskText(row.task), markedTitle(analysis, row), ...distanceOf(row)].join(", "),
        variantLabel(row.against),
        crossingText(row),
        row.at === null ? absent : interval(row.low, row.high, number),
        duration(row.facadeMsPerUnit, unit),
        interval(row.facadeLow, row.facadeHigh, (value) => duration(value, unit)),
        duration(row.otherMsPerUnit, unit),
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
