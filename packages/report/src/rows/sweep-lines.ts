// The rows and columns of a sweep: a row per stack and variant, a column per value of the swept factor.
import type { Arm } from "@roundtrip/analysis";
import { factorLabel, variantLabel } from "../words/arm-label.ts";
import type { PublishedFigures } from "../view/report-input.ts";
import { type TaskView } from "../view/run-view.ts";
import { column, type TableRow, type Table } from "../basics/table.ts";
import { publishedSeriesOf, seriesName, seriesOf } from "../rows/series.ts";

export interface SweepLine {
  /** One of its arms; null for a published line. */
  readonly arm: Arm | null;
  readonly name: string;
  readonly nested: TableRow["nested"];
  readonly role: TableRow["role"];
  readonly means: ReadonlyMap<number, number>;
  /** Values at which the load was not kept. */
  readonly voided: ReadonlySet<number>;
}

export function sweepLines(task: TaskView, published: readonly PublishedFigures[]): readonly SweepLine[] {
  const series = seriesOf(task);
  const several = new Set(series.map(({ variant }) => variant)).size > 1;
  const measured = series.map((one): SweepLine => ({
    arm: one.arm,
    name: seriesName(one, several),
    nested: several ? { groupId: one.id, group: one.title, name: variantLabel(one.variant) } : null,
    role: one.points.some(({ view }) => view.arm.role === "floor") ? "floor" : "measured",
    means: new Map(one.points.flatMap(({ at, view }) => (view.latency === null ? [] : [[at, view.latency.mean]]))),
    voided: new Set(one.points.flatMap(({ at, view }) => (view.isVoid ? [at] : []))),
  }));
  const beside = publishedSeriesOf(task, published).map((one): SweepLine => ({
    arm: null,
    name: `${one.label}, ${one.name}`,
    nested: several ? { groupId: one.name, group: one.name, name: one.label } : null,
    role: "published",
    means: new Map(one.points.map(({ at, meanMs }) => [at, meanMs])),
    voided: new Set(),
  }));
  return [...measured, ...beside];
}

export const sweepColumns = (task: TaskView): Table["columns"] => [
  column.start(factorLabel(task.sweep ?? "")),
  ...task.sweepValues.map((value) => column.end(value.toLocaleString("en-US"))),
];

export function stacksOf(lines: readonly SweepLine[]): readonly Arm[] {
  return lines.flatMap(({ arm }) => arm ?? []);
}
