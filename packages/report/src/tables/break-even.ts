// At which levels of a factor one coarse call is faster than another way, and from where on.
import type { StudyTable } from "../view/run-view.ts";
import type { BreakEven } from "@roundtrip/analysis";
import { factorValue, levelsText, openLevels, studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, duration, interval, number, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, measuredRow, slug, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { taskText } from "../words/ratio-text.ts";
import { markedTitle } from "../view/marks.ts";

function distanceOf({ factors }: BreakEven): readonly string[] {
  return factors["rttMs"] === undefined ? [] : [factorValue("rttMs", factors["rttMs"])];
}

/** `1, 5 and 20 invoices`. */
function levelsCell(levels: readonly number[], { factor }: BreakEven): string {
  return levels.length === 0 ? absent : levelsText(factor, levels);
}

function breakEvenTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const rows = analysis.breakEvens.filter((row) => row.study === study);
  if (rows.length === 0) return [];
  const unit = timeUnitFor(rows.flatMap(({ line }) => line?.otherMsPerUnit ?? []));
  const table: Table = {
    id: slug(`break even ${study}`),
    caption: `${studyLabel(study)}: where the façade is faster`,
    columns: [
      column.start("task and stack"),
      column.start("against"),
      column.start("faster at"),
      column.start("slower at"),
      column.start("cannot tell at"),
      column.end("break-even"),
      column.end("95 % interval"),
      column.end(`façade, ${unit.symbol} each`),
      column.end("95 % interval"),
      column.end(`other, ${unit.symbol} each`),
    ],
    rows: rows.map((row) => {
      const { task, against, facadeAt, otherAt, line } = row;
      const { at = null, low = null, high = null } = line ?? {};
      // A crossing without its interval may be anywhere.
      const isKnown = at !== null && low !== null && high !== null;
      return measuredRow([
        [taskText(task), markedTitle(analysis, row), ...distanceOf(row)].join(", "),
        variantLabel(against),
        levelsCell(facadeAt, row),
        levelsCell(otherAt, row),
        levelsCell(openLevels(row), row),
        isKnown ? `${line?.side === "below" ? "up to" : "from"} ${number(at)}` : absent,
        isKnown ? interval(low, high, number) : absent,
        duration(line?.facadeMsPerUnit, unit),
        interval(line?.facadeLow, line?.facadeHigh, (value) => duration(value, unit)),
        duration(line?.otherMsPerUnit, unit),
      ]);
    }),
    note: "Levels by intervals that hold together for a row. Break-even: where lines through both variants cross, if each unit makes as many further calls.",
  };
  return [{ table: withoutEmptyColumns(table), stacks: rows }];
}

export const reportTable: StudyTable = {
  name: "break-even",
  order: 90,
  section: "study",
  tables: (input, study) => breakEvenTables(input, study.study),
};
