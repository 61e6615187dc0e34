// A sweep on one screen: a row per stack and variant, a column per value of the factor that was varied.
import type { Arm } from "@roundtrip/analysis";
import { factorLabel, factorValue, taskLabel, variantLabel } from "../words/arm-label.ts";
import { absent, duration, timeUnitFor } from "../basics/quantity.ts";
import type { PublishedFigures } from "../view/report-input.ts";
import { isDistance, type TaskView } from "../view/run-view.ts";
import { voidText } from "../view/void-mark.ts";
import { column, slug, type NamedTable, type Row, type Table } from "../basics/table.ts";
import { publishedSeriesOf, seriesName, seriesOf } from "../rows/series.ts";

interface Line {
  /** One of its arms; null where the line was published. */
  readonly arm: Arm | null;
  readonly name: string;
  readonly nested: Row["nested"];
  readonly role: Row["role"];
  readonly means: ReadonlyMap<number, number>;
  /** Values at which the load was not kept. */
  readonly voided: ReadonlySet<number>;
}

function linesOf(task: TaskView, published: readonly PublishedFigures[]): readonly Line[] {
  const series = seriesOf(task);
  const several = new Set(series.map(({ variant }) => variant)).size > 1;
  const measured = series.map((one): Line => ({
    arm: one.arm,
    name: seriesName(one, several),
    nested: several ? { groupId: one.id, group: one.title, name: variantLabel(one.variant) } : null,
    role: one.points.some(({ view }) => view.arm.role === "floor") ? "floor" : "measured",
    means: new Map(one.points.flatMap(({ at, view }) => (view.latency === null ? [] : [[at, view.latency.mean]]))),
    voided: new Set(one.points.flatMap(({ at, view }) => (view.isVoid ? [at] : []))),
  }));
  const beside = publishedSeriesOf(task, published).map((one): Line => ({
    arm: null,
    name: `${one.label}, ${one.name}`,
    nested: several ? { groupId: one.name, group: one.name, name: one.label } : null,
    role: "published",
    means: new Map(one.points.map(({ at, meanMs }) => [at, meanMs])),
    voided: new Set(),
  }));
  return [...measured, ...beside];
}

const columnsOf = (task: TaskView): Table["columns"] => [
  column.start(factorLabel(task.sweep ?? "")),
  ...task.sweepValues.map((value) => column.end(value.toLocaleString("en-US"))),
];

function stacksOf(lines: readonly Line[]): readonly Arm[] {
  return lines.flatMap(({ arm }) => arm ?? []);
}

/** Mean latency per task over the sweep; published means stand below in the same unit. */
export function sweepTable(task: TaskView, published: readonly PublishedFigures[]): NamedTable {
  const lines = linesOf(task, published);
  const unit = timeUnitFor(lines.filter(({ role }) => role === "measured").flatMap(({ means }) => [...means.values()]));
  const table: Table = {
    id: slug(`sweep ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: mean latency per task, in ${unit.symbol}`,
    columns: columnsOf(task),
    rows: lines.map(({ name, nested, role, means, voided }) => ({
      role,
      nested,
      cells: [
        name,
        ...task.sweepValues.map((value) => (voided.has(value) ? voidText : duration(means.get(value), unit))),
      ],
    })),
    note: lines.some(({ role }) => role === "published")
      ? isDistance(task)
        ? "Published milliseconds hold the time of other machines' processors, which over distance hardly counts."
        : "Published milliseconds belong to other machines: compare how the rows grow, not the figures."
      : "",
  };
  return { table, stacks: stacksOf(lines) };
}

/** The same, each row divided by its own first value, so that shapes of different machines can be compared. */
export function shapeTable(task: TaskView, published: readonly PublishedFigures[]): NamedTable {
  const [first] = task.sweepValues;
  const lines = linesOf(task, published).filter(({ means }) => first !== undefined && means.has(first));
  const table: Table = {
    id: slug(`shape ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: growth, with ${factorValue(task.sweep ?? "", first ?? 0)} as 1`,
    columns: columnsOf(task),
    rows: lines.map(({ name, nested, role, means }) => ({
      role,
      nested,
      cells: [
        name,
        ...task.sweepValues.map((value) => {
          const mean = means.get(value);
          return mean === undefined || first === undefined ? absent : (mean / (means.get(first) ?? mean)).toFixed(2);
        }),
      ],
    })),
    note: "",
  };
  return { table, stacks: stacksOf(lines) };
}
