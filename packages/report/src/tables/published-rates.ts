// What a publication answered a second under a load, beside ours, each also as a multiple of one row that both have.
import type { PublishedFigures } from "@roundtrip/runs";
import { absent, number } from "../basics/quantity.ts";
import { column, slug, type NamedTable, type TableRow } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable, StudyView } from "../view/run-view.ts";
import { studyLabel } from "../words/arm-label.ts";
import { shownRows, timesCell, type ShownRow } from "./published.ts";

function rateCell(perSecond: number | undefined): string {
  return perSecond === undefined ? absent : number(perSecond);
}

function ratesTable({ analysis }: ReportInput, study: StudyView, { name, rows }: PublishedFigures): NamedTable {
  const shown = shownRows(rows, study);
  const base = shown.find(({ ours }) => ours.size > 0);
  const titles = [...new Set(shown.flatMap(({ ours }) => [...ours.keys()]))];
  const rates = new Map(
    analysis.summaries.filter(({ metric }) => metric === "callsPerSecond").map(({ armId, mean }) => [armId, mean]),
  );
  const ours = (row: ShownRow | undefined, title: string): number | undefined =>
    rates.get(row?.ours.get(title)?.arm.id ?? "");
  return {
    stacks: shown.flatMap((row) => [...row.ours.values()].map(({ arm }) => arm)),
    table: {
      id: slug(`published rates ${study.study} ${name}`),
      caption: `${name}, answered a second, beside ${studyLabel(study.study)}`,
      columns: [
        column.start("row"),
        ...["theirs", "ratio"].map(column.end),
        ...titles.flatMap((title) => [title, "ratio"].map(column.end)),
      ],
      rows: shown.map((row): TableRow => ({
        role: "measured",
        nested: null,
        cells: [
          row.name,
          rateCell(row.row.answeredHz),
          timesCell(row.row.answeredHz, base?.row.answeredHz),
          ...titles.flatMap((title) => [rateCell(ours(row, title)), timesCell(ours(row, title), ours(base, title))]),
        ],
      })),
      note: `Calls answered a second at more arrivals than one thread carries. Theirs are of other machines and work: compare the ratios${base === undefined ? ", for which no arm is here" : `, to the row ${base.name}`}.`,
    },
  };
}

export const reportTable: StudyTable = {
  name: "published-rates",
  order: 2,
  section: "published",
  tables: (input, study) =>
    study.published
      .filter(({ rows }) => rows.some(({ answeredHz }) => answeredHz !== undefined))
      .map((figures) => ratesTable(input, study, figures)),
};
