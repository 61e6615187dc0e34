// The table of a publication, row by row: its figures beside ours, each also as a multiple of one row that both have, because machines differ by decades.
import { concurrencySeries, describeSamples, representing, sortedCopy } from "@roundtrip/analysis";
import type { PublishedFigures, PublishedRow, Scalar } from "@roundtrip/runs";
import { absent, duration, multiple, number, timeUnitFor } from "../basics/quantity.ts";
import { column, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { ArmView, StudyTable, StudyView } from "../view/run-view.ts";
import { factorValue, studyLabel } from "../words/arm-label.ts";

function holds(factors: Readonly<Record<string, Scalar>>, row: PublishedRow): boolean {
  return Object.entries(row.factors).every(([name, value]) => factors[name] === value);
}

/** The arm of a row on the stack that claims are judged by, of each style or of its own. */
function armsOf(row: PublishedRow, { tasks }: StudyView): readonly ArmView[] {
  const views = tasks.flatMap(({ arms }) => arms);
  const judged = new Set(representing(views.map(({ arm }) => arm)));
  return views.filter(
    ({ arm }) =>
      // A row of the floor's style is of the floor, at settings that make it more.
      (arm.role === "style" || row.style === arm.style) &&
      judged.has(arm) &&
      arm.task === (row.task ?? arm.task) &&
      arm.variant === row.variant &&
      arm.style === (row.style ?? arm.style) &&
      holds(arm.factors, row),
  );
}

export interface ShownRow {
  readonly name: string;
  readonly row: PublishedRow;
  /** By column: one for each stack, or a single one where every row has its style. */
  readonly ours: ReadonlyMap<string, ArmView>;
}

export function shownRows(rows: readonly PublishedRow[], study: StudyView): readonly ShownRow[] {
  const isOneStack = rows.every(({ style }) => style !== null);
  return rows.map((row) => ({
    row,
    name: [
      row.label,
      ...Object.entries(row.printed ?? row.factors).map(([name, value]) => factorValue(name, value)),
    ].join(", "),
    ours: new Map(armsOf(row, study).map((view) => [isOneStack ? "here" : view.arm.title, view])),
  }));
}

function percent(share: number): string {
  // Without the sign of a zero.
  const rounded = Number((100 * share).toFixed(1)) + 0;
  return `${rounded.toFixed(1).replace("-", "−")} %`;
}

/** As the source defines it: above 0 where a call took longer than predicted. */
function errorOf(measured: number | null | undefined, predicted: number | null | undefined): number | null {
  return measured && predicted ? (measured - predicted) / measured : null;
}

function errorsText(who: string, errors: readonly (number | null)[]): string {
  const known = errors.filter((error) => error !== null);
  if (known.length < 2) return "";
  const [signed, absolute] = [known, known.map(Math.abs)].map((values) => describeSamples(sortedCopy(values)));
  const shown = [signed?.mean, signed?.stddev, absolute?.p50, absolute?.max].map((share) => percent(share ?? 0));
  return `${who}: ${shown[0]} on average, standard deviation ${shown[1]}; absolute error ${shown[2]} in the median, ${shown[3]} at most.`;
}

function errorCell(error: number | null): string {
  return error === null ? absent : percent(error);
}

/** A column of standard deviations, of single calls, only where the source has any. */
function deviationColumns(rows: readonly PublishedRow[]): readonly "std dev"[] {
  return rows.some(({ stddevMs }) => stddevMs !== null) ? ["std dev"] : [];
}

/** Predicted, measured, as a multiple of the first row that has an arm here, its standard deviation where they have it, and error, theirs and ours. */
function modelTable(input: ReportInput, study: StudyView, { name, rows }: PublishedFigures): NamedTable {
  const shown = shownRows(rows, study);
  const titles = [...new Set(shown.flatMap(({ ours }) => [...ours.keys()]))];
  const points = new Map(
    concurrencySeries(input.analysis).flatMap((series) => series.points.map((point) => [point.armId, point])),
  );
  const unit = timeUnitFor([...points.values()].flatMap(({ measuredMs }) => measuredMs ?? []));
  const pointOf = ({ ours }: ShownRow, title: string): ReturnType<typeof points.get> =>
    points.get(ours.get(title)?.arm.id ?? "");
  const ourError = (row: ShownRow, title: string): number | null => {
    const point = pointOf(row, title);
    return point?.isModelInput === true ? null : errorOf(point?.measuredMs, point?.predictedMs);
  };
  const base = shown.find(({ ours }) => ours.size > 0);
  const theirs = rows.map(({ meanMs, predictedMs }) => errorOf(meanMs, predictedMs));
  const deviations = deviationColumns(rows);
  const faulty = rows.map(({ faultyMs, predictedMs }) => errorOf(faultyMs, predictedMs));
  const hasFault = faulty.some((error) => error !== null);
  return {
    stacks: shown.flatMap(({ ours }) => [...ours.values()].map(({ arm }) => arm)),
    table: {
      id: slug(`published ${study.study} ${name}`),
      caption: `${name}, predicted and measured, beside ${studyLabel(study.study)}`,
      columns: [
        column.start("row"),
        ...[
          "predicted, ms",
          ...(hasFault ? ["with the fault, ms", ...deviations, "error"] : []),
          "measured, ms",
          "ratio",
          ...deviations,
          "error",
        ].map(column.end),
        ...titles.flatMap((title) =>
          [`predicted, ${unit.symbol}`, `measured, ${unit.symbol}`, "ratio", ...deviations, "error"].map((heading) =>
            column.end(`${title} ${heading}`),
          ),
        ),
      ],
      rows: shown.map((of, index): TableRow => ({
        role: "measured",
        nested: null,
        cells: [
          of.name,
          of.row.predictedMs?.toFixed(2) ?? absent,
          ...(hasFault
            ? [
                of.row.faultyMs?.toFixed(1) ?? absent,
                ...deviations.map(() => of.row.faultyStddevMs?.toFixed(2) ?? absent),
                errorCell(faulty[index] ?? null),
              ]
            : []),
          of.row.meanMs?.toFixed(1) ?? absent,
          timesCell(of.row.meanMs, base?.row.meanMs),
          ...deviations.map(() => of.row.stddevMs?.toFixed(2) ?? absent),
          errorCell(theirs[index] ?? null),
          ...titles.flatMap((title) => {
            const point = pointOf(of, title);
            return [
              duration(point?.predictedMs, unit),
              duration(point?.measuredMs, unit),
              timesCell(point?.measuredMs, base && pointOf(base, title)?.measuredMs),
              ...deviations.map(() => duration(of.ours.get(title)?.latency?.stddev, unit)),
              errorCell(ourError(of, title)),
            ];
          }),
        ],
      })),
      note: [
        base === undefined ? "" : `Ratios are to the row ${base.name}.`,
        "Error: (measured − predicted) / measured, as the source defines it. Think times here are in the same proportion to a call.",
        errorsText("Their legible rows", theirs),
        errorsText("With the fault", faulty),
        ...titles.map((title) =>
          errorsText(
            title,
            shown.map((row) => ourError(row, title)),
          ),
        ),
      ]
        .filter((sentence) => sentence !== "")
        .join(" "),
    },
  };
}

/** Ours for a row: the mean, or the least or largest first call. */
function ourMs({ row, ours }: ShownRow, title: string): number | undefined {
  const view = ours.get(title);
  return row.firstCall === undefined ? view?.latency?.mean : view?.cost.firstCallMs?.[row.firstCall];
}

export function timesCell(value: number | null | undefined, base: number | null | undefined): string {
  return value && base ? multiple(value / base) : absent;
}

/** Payload per second: bytes in a millisecond are kilobytes in a second. */
function rateCell({ payloadBytes }: PublishedRow, ms: number | null | undefined): string {
  return payloadBytes && ms ? number(payloadBytes / ms) : absent;
}

/** Milliseconds, their standard deviation, multiples of the first row that has an arm here, and bytes per second: what the source has, theirs and ours. */
function timesTable(study: StudyView, { name, rows }: PublishedFigures): NamedTable {
  const shown = shownRows(rows, study);
  const base = shown.find(({ ours }) => ours.size > 0);
  const deviations = deviationColumns(rows);
  const titles = [...new Set(shown.flatMap(({ ours }) => [...ours.keys()]))];
  const unit = timeUnitFor(
    shown.flatMap(({ ours }) => [...ours.values()].flatMap(({ latency }) => latency?.mean ?? [])),
  );
  return {
    stacks: shown.flatMap(({ ours }) => [...ours.values()].map(({ arm }) => arm)),
    table: withoutEmptyColumns({
      id: slug(`published ${study.study} ${name}`),
      caption: `${name}, beside ${studyLabel(study.study)}`,
      columns: [
        column.start("row"),
        ...["theirs, ms", ...deviations, "ratio", "KB/s"].map(column.end),
        ...titles.flatMap((title) => [`${title}, ${unit.symbol}`, ...deviations, "ratio", "KB/s"].map(column.end)),
      ],
      rows: shown.map((of): TableRow => ({
        role: "measured",
        nested: null,
        cells: [
          of.name,
          of.row.meanMs === null ? absent : duration(of.row.meanMs, timeUnitFor([10])),
          ...deviations.map(() => (of.row.stddevMs === null ? absent : duration(of.row.stddevMs, timeUnitFor([10])))),
          timesCell(of.row.meanMs, base?.row.meanMs),
          rateCell(of.row, of.row.meanMs),
          ...titles.flatMap((title) => [
            duration(ourMs(of, title), unit),
            ...deviations.map(() => duration(of.ours.get(title)?.latency?.stddev, unit)),
            timesCell(ourMs(of, title), base && ourMs(base, title)),
            rateCell(of.row, ourMs(of, title)),
          ]),
        ],
      })),
      note: [
        "Theirs are milliseconds of other machines: compare the ratios",
        base === undefined ? ", for which no arm is here." : `, to the row ${base.name}.`,
        rows.some(({ payloadBytes }) => payloadBytes !== undefined)
          ? " KB/s: the values as the source counts them."
          : "",
      ].join(""),
    }),
  };
}

function publishedTables(input: ReportInput, study: StudyView): readonly NamedTable[] {
  return study.published
    .map((figures) => ({ ...figures, rows: figures.rows.filter(({ counted }) => counted === undefined) }))
    .filter(({ rows }) => rows.length > 0)
    .map((figures) =>
      figures.rows.some(({ predictedMs }) => predictedMs !== undefined)
        ? modelTable(input, study, figures)
        : timesTable(study, figures),
    );
}

export const reportTable: StudyTable = {
  name: "published",
  order: 1,
  section: "published",
  tables: publishedTables,
};
