// Series of arms over a parameter, and the lines of a sweep.
import { type Arm, configurationOf, type PublishedFigures } from "@roundtrip/runs";
import { factorLabel, variantLabel } from "../words/arm-label.ts";
import { differingText } from "./load-rows.ts";
import { isDistance, type ArmView, type TaskView } from "../view/run-view.ts";
import { column, type Table, type TableRow } from "../basics/table.ts";

export interface SweepLine {
  /** One of its arms. */
  readonly arm: Arm;
  readonly name: string;
  readonly nested: TableRow["nested"];
  readonly role: TableRow["role"];
  readonly means: ReadonlyMap<number, number>;
  /** Values at which the load was not kept. */
  readonly voided: ReadonlySet<number>;
}

export function sweepLines(task: TaskView): readonly SweepLine[] {
  const series = seriesOf(task);
  const several = new Set(series.map(({ variant }) => variant)).size > 1;
  return series.map((one): SweepLine => ({
    arm: one.arm,
    name: seriesName(one, several),
    nested: several ? { groupId: one.id, group: one.title, name: variantLabel(one.variant) } : null,
    role: one.points.some(({ view }) => view.arm.role === "floor") ? "floor" : "measured",
    means: new Map(one.points.flatMap(({ at, view }) => (view.latency === null ? [] : [[at, view.latency.mean]]))),
    voided: new Set(one.points.flatMap(({ at, view }) => (view.isVoid ? [at] : []))),
  }));
}

/** A measured distance has three digits: `0.234`, `20.1`. */
export function positionText(value: number, task: TaskView): string {
  return (isDistance(task) ? Number(value.toPrecision(3)) : value).toLocaleString("en-US");
}

export const sweepColumns = (task: TaskView): Table["columns"] => [
  column.start(factorLabel(task.sweep ?? "")),
  ...task.sweepPositions.map((value) => column.end(positionText(value, task))),
];

export interface Series {
  /** Identifies the stack of the title, since titles may repeat. The same for the variants of a stack. */
  readonly id: string;
  /** One of its arms, which share a stack and its settings. */
  readonly arm: Arm;
  /** The stack's name with its settings, and the values of other factors where they differ. */
  readonly title: string;
  readonly variant: string;
  /** Ascending in `at`, the value of the swept factor. */
  readonly points: readonly { readonly at: number; readonly view: ArmView }[];
}

export interface PublishedSeries {
  readonly name: string;
  readonly label: string;
  readonly variant: string;
  readonly points: readonly { readonly at: number; readonly meanMs: number }[];
}

/** The measured series of a task with a sweep, grouped by stack. Empty without a sweep. */
export function seriesOf(task: TaskView): readonly Series[] {
  const { sweep } = task;
  if (sweep === null) return [];
  const sweptPoints = task.arms.flatMap((view) => {
    const at = view.arm.factors[sweep];
    return typeof at === "number" ? [{ at, view }] : [];
  });
  const arms = sweptPoints.map(({ view }) => view.arm);
  const titleOf = ({ arm }: ArmView): string =>
    [arm.title, differingText(arm, arms, [sweep])].filter((part) => part !== "").join(", ");
  const groups = Map.groupBy(sweptPoints, ({ view }) => JSON.stringify([configurationOf(view.arm), titleOf(view)]));
  return [...groups].flatMap(([id, alike]) =>
    [...Map.groupBy(alike, ({ view }) => view.arm.variant)].flatMap(([variant, points]) => {
      const [first] = points;
      if (first === undefined) return [];
      return {
        id,
        arm: first.view.arm,
        title: titleOf(first.view),
        variant,
        points: points.toSorted((a, b) => a.at - b.at),
      };
    }),
  );
}

export function publishedSeriesOf(task: TaskView, published: readonly PublishedFigures[]): readonly PublishedSeries[] {
  const { sweep } = task;
  if (sweep === null) return [];
  return published.flatMap(({ name, rows }) => {
    const sweptPoints = rows
      .filter((row) => (row.task ?? task.task) === task.task && row.firstCall === undefined)
      .flatMap((row) => {
        const at = row.factors[sweep];
        return typeof at === "number" && row.meanMs !== null ? [{ at, meanMs: row.meanMs, row }] : [];
      });
    return [...Map.groupBy(sweptPoints, ({ row }) => row.label)].map(([label, points]) => ({
      name,
      label,
      variant: points[0]?.row.variant ?? label,
      points: points.map(({ at, meanMs }) => ({ at, meanMs })).toSorted((a, b) => a.at - b.at),
    }));
  });
}

export function seriesName({ title, variant }: Series, several: boolean): string {
  return several ? `${title} ${variantLabel(variant)}` : title;
}
