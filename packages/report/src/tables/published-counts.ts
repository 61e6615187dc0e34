// What a publication counted, such as calls answered a second, beside ours, each also as a multiple of one row that both have.
import type { PublishedFigures } from "@roundtrip/runs";
import { absent, interval, number } from "../basics/quantity.ts";
import { column, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable, StudyView } from "../view/run-view.ts";
import { studyLabel } from "../words/arm-label.ts";
import { shownRows, timesCell, type ShownRow } from "./published.ts";

function valueCell(value: number | undefined): string {
  return value === undefined ? absent : number(value);
}

function countsTable({ analysis }: ReportInput, study: StudyView, { name, rows }: PublishedFigures): NamedTable {
  const shown = shownRows(rows, study);
  const titles = [...new Set(shown.flatMap(({ ours }) => [...ours.keys()]))];
  const summaries = new Map(analysis.summaries.map((summary) => [`${summary.armId} ${summary.metric}`, summary]));
  const summaryOf = ({ row, ours }: ShownRow, title: string) =>
    summaries.get(`${ours.get(title)?.arm.id} ${row.counted?.metric}`);
  const base = shown.find((row) => titles.some((title) => (summaryOf(row, title)?.mean ?? 0) > 0));
  const ourCells = (row: ShownRow, title: string): readonly string[] => {
    const summary = summaryOf(row, title);
    if (summary === undefined) return [absent, absent, absent];
    const { mean, meanLow, meanHigh } = summary;
    return [number(mean), timesCell(mean, base && summaryOf(base, title)?.mean), interval(meanLow, meanHigh, number)];
  };
  return {
    stacks: shown.flatMap((row) => [...row.ours.values()].map(({ arm }) => arm)),
    table: withoutEmptyColumns({
      id: slug(`published counts ${study.study} ${name}`),
      caption: `${name}, counted, beside ${studyLabel(study.study)}`,
      columns: [
        column.start("row"),
        ...["theirs", "ratio"].map(column.end),
        ...titles.flatMap((title) => [title, "ratio", "95 % interval"].map(column.end)),
      ],
      rows: shown.map((row): TableRow => ({
        role: "measured",
        nested: null,
        cells: [
          row.name,
          valueCell(row.row.counted?.value),
          timesCell(row.row.counted?.value, base?.row.counted?.value),
          ...titles.flatMap((title) => ourCells(row, title)),
        ],
      })),
      note: `Theirs are of other machines: compare the ratios${base === undefined ? ", for which no arm is here" : `, to the row ${base.name}`}.`,
    }),
  };
}

export const reportTable: StudyTable = {
  name: "published-counts",
  order: 2,
  section: "published",
  tables: (input, study) =>
    study.published
      .map((figures) => ({ ...figures, rows: figures.rows.filter(({ counted }) => counted !== undefined) }))
      .filter(({ rows }) => rows.length > 0)
      .map((figures) => countsTable(input, study, figures)),
};
