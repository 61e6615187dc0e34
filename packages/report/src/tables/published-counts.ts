// What a publication counted, such as calls answered a second, beside ours, each also as a multiple of one row of its metric that both have.
import type { PublishedFigures } from "@roundtrip/runs";
import { absent, interval, number } from "../basics/quantity.ts";
import { column, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable, StudyView } from "../view/run-view.ts";
import { studyLabel } from "../words/arm-label.ts";
import { shownRows, timesCell, type ShownRow } from "./published.ts";

function valueCell(value: number | null): string {
  return value === null ? absent : number(value);
}

function countsTable({ analysis }: ReportInput, study: StudyView, { name, rows }: PublishedFigures): NamedTable {
  const shown = shownRows(rows, study);
  const titles = [...new Set(shown.flatMap(({ ours }) => [...ours.keys()]))];
  const summaries = new Map(analysis.summaries.map((summary) => [`${summary.armId} ${summary.metric}`, summary]));
  const summaryOf = ({ row, ours }: ShownRow, title: string) =>
    summaries.get(`${ours.get(title)?.arm.id} ${row.counted?.metric}`);
  const hasOurs = (row: ShownRow): boolean => titles.some((title) => (summaryOf(row, title)?.mean ?? 0) > 0);
  const metrics = Map.groupBy(shown, ({ row }) => row.counted?.metric);
  // A ratio of a row to itself says nothing.
  const bases = new Map(
    [...metrics].map(([metric, some]) => [metric, some.length > 1 ? some.find(hasOurs) : undefined]),
  );
  const baseOf = ({ row }: ShownRow): ShownRow | undefined => bases.get(row.counted?.metric);
  const ourCells = (row: ShownRow, title: string): readonly string[] => {
    const [summary, base] = [summaryOf(row, title), baseOf(row)];
    if (summary === undefined) return [absent, absent, absent];
    const { mean, meanLow, meanHigh } = summary;
    return [number(mean), timesCell(mean, base && summaryOf(base, title)?.mean), interval(meanLow, meanHigh, number)];
  };
  const named = [...bases.values()].flatMap((base) => base?.name ?? []);
  const compared =
    named.length === 0 ? "" : `: compare the ratios, to the ${named.length === 1 ? "row" : "rows"} ${named.join("; ")}`;
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
          valueCell(row.row.counted?.value ?? null),
          timesCell(row.row.counted?.value, baseOf(row)?.row.counted?.value),
          ...titles.flatMap((title) => ourCells(row, title)),
        ],
      })),
      note: `Theirs are of other machines${compared}.`,
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
