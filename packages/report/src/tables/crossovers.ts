// The round-trip time from which a façade beats other variants.
import type { StudyTable } from "../view/report-table.ts";
import { listed, type Crossover } from "@roundtrip/analysis";
import { studyLabel, variantLabel } from "../words/arm-label.ts";
import { absent, interval, number } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import {
  column,
  measuredRow,
  slug,
  withoutEmptyColumns,
  type NamedTable,
  type TableRow,
  type Table,
} from "../basics/table.ts";
import { markedTitle } from "../view/unsettled-mark.ts";

function fromText({ aboveMs, always, isClear }: Crossover): string {
  if (aboveMs !== null) return number(aboveMs);
  if (always === null) return "unclear";
  return `${always === "facade" ? "always" : "never"}${isClear ? "" : ", it seems"}`;
}

function saysTheSame(rows: readonly Crossover[]): boolean {
  return rows.length > 1 && rows.every(({ aboveMs }) => aboveMs === null) && new Set(rows.map(fromText)).size === 1;
}

function sameForAll(rows: readonly Crossover[], first: Crossover): TableRow {
  const tasks = listed([...new Set(rows.map(({ task }) => task))]);
  const names = listed([...new Set(rows.map(({ variant }) => variantLabel(variant)))]);
  const name = `${names} over any style`;
  const cells = [`${tasks}, ${name}`, "any", fromText(first), absent];
  return measuredRow(cells, { groupId: tasks, group: tasks, name });
}

function crossoverTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const rows = analysis.crossovers.filter((row) => row.study === study);
  const [first] = rows;
  if (first === undefined) return [];
  const measured = rows.map((row) => {
    const { task, facade, aboveMs, low, high } = row;
    const name = `${markedTitle(analysis, row)} ${variantLabel(row.variant)}`;
    const crossing = aboveMs === null ? absent : interval(low, high, number);
    const cells = [`${task}, ${name}`, markedTitle(analysis, facade), fromText(row), crossing];
    return measuredRow(cells, { groupId: task, group: task, name });
  });
  const isOne = saysTheSame(rows);
  const table: Table = {
    id: slug(`crossover ${study}`),
    caption: `${studyLabel(study)}: from which round-trip time on the façade is faster`,
    columns: [
      column.start("task and variant"),
      column.start("façade over"),
      column.end("faster from, ms"),
      column.end("95 % interval"),
    ],
    rows: isOne ? [sameForAll(rows, first)] : measured,
    note: `Where the lines over distance cross, between ${number(first.nearestMs)} and ${number(first.farthestMs)} ms; always and never are meant for all of them.`,
  };
  return [{ table: withoutEmptyColumns(table), stacks: isOne ? [] : rows }];
}

export const reportTable: StudyTable = {
  name: "crossovers",
  order: 120,
  section: "study",
  tables: (input, study) => crossoverTables(input, study.study),
};
