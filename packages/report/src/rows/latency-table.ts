// The full figures of a task's arms, one row per arm, with published figures beside them.
import { isAtDefaults } from "@roundtrip/runs";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { absent, bytes, duration, interval, multiple, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import { connectionsNote } from "../html/method.ts";
import type { PublishedFigures } from "../view/report-input.ts";
import type { ArmView, TaskView } from "../view/run-view.ts";
import { lateTailNote, voidText, withVoidSign } from "../view/void-mark.ts";
import { figureColumns, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";

function publishedRows(
  task: TaskView,
  { arm }: ArmView,
  published: readonly PublishedFigures[],
  unit: TimeUnit,
): readonly TableRow[] {
  return published.flatMap(({ name, rows }) =>
    rows
      .filter((row) => row.style === arm.style && (row.task ?? task.task) === task.task && row.variant === arm.variant)
      .filter((row) => Object.keys(row.factors).length === 0)
      .map((row): TableRow => {
        const figures = [duration(row.meanMs, unit), row.stddevMs === null ? absent : duration(row.stddevMs, unit)];
        const cells = [`${row.label}, ${name}`, ...figures, ...Array<string>(8).fill(absent)];
        return { role: "published", nested: null, cells };
      }),
  );
}

/** Whether an arm is the first of its style and variant at its defaults: libraries of a style share its published figures. */
function isFirstOfStyle({ arm }: ArmView, arms: readonly ArmView[]): boolean {
  const alike = arms.filter(({ arm: { style, variant } }) => style === arm.style && variant === arm.variant);
  return alike.find((other) => isAtDefaults(other.arm))?.arm.id === arm.id;
}

function notesOf(arms: readonly ArmView[]): readonly string[] {
  const shared = connectionsNote(arms.map(({ arm }) => arm));
  const late = lateTailNote(
    arms.flatMap(({ lateTail }) => lateTail ?? []),
    arms.map(({ arm }) => arm.id),
  );
  return [
    ...(arms.some(({ latency }) => (latency?.meanLow ?? null) !== null)
      ? ["The interval is of the mean, at the level of rounds."]
      : []),
    ...(arms.some(({ floor }) => floor !== null)
      ? ["× floor is the geometric mean over rounds, so it is not quite the quotient of the means."]
      : []),
    ...(arms.some(({ cost }) => cost.serverCpuMsPerTask !== undefined) ? ["CPU is that of the whole process."] : []),
    ...(shared === "" ? [] : [shared]),
    ...(late === "" ? [] : [late]),
  ];
}

/** Latency and cost per task of `arms`, the part of the task's arms that `part` names. Published rows follow the first arm of their style. */
export function latencyTable(
  task: TaskView,
  arms: readonly ArmView[],
  part: string,
  published: readonly PublishedFigures[],
): NamedTable {
  const unit = timeUnitFor(arms.flatMap(({ latency }) => (latency === null ? [] : [latency.p50])));
  const show = (ms: number): string => duration(ms, unit);
  const measured = ({ arm, latency, isVoid, floor, cost }: ArmView): TableRow => ({
    role: arm.role === "floor" ? "floor" : "measured",
    nested: null,
    cells: [
      withVoidSign(isVoid, armLabel(task, arm, arms)),
      isVoid ? voidText : duration(latency?.mean, unit),
      duration(latency?.stddev, unit),
      interval(latency?.meanLow, latency?.meanHigh, show),
      duration(latency?.p50, unit),
      duration(latency?.p95, unit),
      duration(latency?.p99, unit),
      arm.role === "floor" ? "1" : multiple(floor?.ratio),
      duration(cost.serverCpuMsPerTask?.mean, unit),
      duration(cost.clientCpuMsPerTask?.mean, unit),
      bytes(cost.wireBytesPerTask?.mean),
    ],
  });
  const notes = notesOf(arms);
  const table = withoutEmptyColumns({
    id: slug(`latency ${task.study} ${task.task} ${part}`),
    caption: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: latency and cost per task, in ${unit.symbol}`,
    columns: figureColumns(
      "arm",
      "mean",
      "std dev",
      "95 % interval",
      "p50",
      "p95",
      "p99",
      "× floor",
      "server CPU",
      "client CPU",
      "bytes",
    ),
    rows: arms.flatMap((view) => [
      measured(view),
      ...(isFirstOfStyle(view, arms) ? publishedRows(task, view, published, unit) : []),
    ]),
    note: notes.join(" "),
  });
  return { table, stacks: arms.map(({ arm }) => arm) };
}
