// From which round-trip time on a façade beats other ways to call.
import type { StudyTable } from "../view/report-table.ts";
import { listed, type Crossover } from "@roundtrip/analysis";
import { studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, interval, number } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, slug, withoutEmptyColumns, type TableRow, type Table } from "../basics/table.ts";
import { markedTitle, withMarkNote } from "../view/unsettled-mark.ts";

function fromText({ aboveMs, always, isClear }: Crossover): string {
  if (aboveMs !== null) return number(aboveMs);
  if (always === null) return "unclear";
  return `${always === "facade" ? "always" : "never"}${isClear ? "" : ", it seems"}`;
}

/** Whether lines that cross nowhere make it one sentence for all. */
function saysTheSame(rows: readonly Crossover[]): boolean {
  return rows.length > 1 && rows.every(({ aboveMs }) => aboveMs === null) && new Set(rows.map(fromText)).size === 1;
}

function sameForAll(rows: readonly Crossover[], first: Crossover): TableRow {
  const tasks = listed([...new Set(rows.map(({ task }) => task))]);
  const ways = listed([...new Set(rows.map(({ variant }) => variantLabel(variant)))]);
  const name = `${ways} over any style`;
  return {
    role: "measured",
    nested: { groupId: tasks, group: tasks, name },
    cells: [`${tasks}, ${name}`, "any", fromText(first), absent],
  };
}

/** Null when the study has no façade and another way over distance. */
function crossoverTable({ analysis }: ReportInput, study: string): Table | null {
  const rows = analysis.crossovers.filter((row) => row.study === study);
  const [first] = rows;
  if (first === undefined) return null;
  const measured = rows.map((row): TableRow => {
    const other = `${markedTitle(analysis, row)} ${variantLabel(row.variant)}`;
    return {
      role: "measured",
      nested: { groupId: row.task, group: row.task, name: other },
      cells: [
        `${row.task}, ${other}`,
        markedTitle(analysis, row.facade),
        fromText(row),
        row.aboveMs === null ? absent : interval(row.low, row.high, number),
      ],
    };
  });
  const isOne = saysTheSame(rows);
  const table: Table = {
    id: slug(`crossover ${study}`),
    caption: `${studyLabel(study)}: from which round-trip time on the façade is faster`,
    columns: [
      column.start("task and other way"),
      column.start("façade over"),
      column.end("faster from, ms"),
      column.end("95 % interval"),
    ],
    rows: isOne ? [sameForAll(rows, first)] : measured,
    note: `Where the lines over distance cross, between ${number(first.nearestMs)} and ${number(first.farthestMs)} ms; always and never are meant for all of them.`,
  };
  return withMarkNote(analysis, withoutEmptyColumns(table), isOne ? [] : rows);
}

export const reportTable: StudyTable = {
  name: "crossovers",
  order: 120,
  place: "study",
  tables: (input, study) => [crossoverTable(input, study.study)].filter((table) => table !== null),
};
