// The operations of a mix: how often each was called, how long it took, and how often it failed.
import type { OperationFigures } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { absent, duration, interval, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import {
  figureColumns,
  measuredRow,
  slug,
  withoutEmptyColumns,
  type NamedTable,
  type TableRow,
} from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyTable, TableExtent, TaskView } from "../view/run-view.ts";
import { voidText, withVoidSign } from "../view/marks.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";

/** As many as fit a terminal beside other tables. */
const fewOperations = 12;

function methodOf(id: string): string {
  return id.split(".").at(-1) ?? id;
}

/** The name of the method, with its service if another method of the mix has the same name. */
function shortNames(ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    ids.map((id) => {
      const isAlone = ids.filter((other) => methodOf(other) === methodOf(id)).length === 1;
      return [id, isAlone ? methodOf(id) : id.split(".").slice(-2).join(".")];
    }),
  );
}

interface NamedArm {
  readonly arm: Arm;
  /** With the sign of a void arm. */
  readonly label: string;
  readonly isVoid: boolean;
}

function rowOf(
  { share, calls, failedCalls, latency }: OperationFigures,
  name: string,
  { arm, label, isVoid }: NamedArm,
  unit: TimeUnit,
): TableRow {
  const show = (ms: number): string => duration(ms, unit);
  const cells = [
    `${name}, ${label}`,
    `${(100 * share).toFixed(1)} %`,
    calls.toLocaleString("en-US"),
    failedCalls === 0 ? absent : failedCalls.toLocaleString("en-US"),
    isVoid ? voidText : duration(latency?.p50Ms, unit),
    interval(latency?.p50LowMs, latency?.p50HighMs, show),
    duration(latency?.p90Ms, unit),
    duration(latency?.p99Ms, unit),
    duration(latency?.maxMs, unit),
  ];
  const row = measuredRow(cells, { groupId: name, group: name, name: label });
  return arm.role === "floor" ? { ...row, role: "floor" } : row;
}

function tableOf(input: ReportInput, task: TaskView, extent: TableExtent): NamedTable | null {
  const { analysis } = input;
  const arms = new Map<string, NamedArm>(
    task.arms.map(({ arm, isVoid }) => [
      arm.id,
      { arm, label: withVoidSign(isVoid, armLabel(task, arm, task.arms)), isVoid },
    ]),
  );
  const figures = analysis.operations.filter(({ armId }) => arms.has(armId));
  if (figures.length === 0) return null;
  const names = shortNames([...new Set(figures.map(({ operation }) => operation))]);
  const unit = timeUnitFor(figures.flatMap(({ latency }) => latency?.p50Ms ?? []));
  // The order of the arms is that of the task's other tables.
  const order = [...arms.keys()];
  const operations = [...Map.groupBy(figures, ({ operation }) => operation)].toSorted(
    ([, [one]], [, [other]]) => (other?.share ?? 0) - (one?.share ?? 0),
  );
  const shown = extent === "all" ? operations : operations.slice(0, fewOperations);
  const left = operations.length - shown.length;
  const rows = shown.flatMap(([operation, some]) =>
    some
      .toSorted((one, other) => order.indexOf(one.armId) - order.indexOf(other.armId))
      .map((one) => rowOf(one, names.get(operation) ?? operation, arms.get(one.armId) as NamedArm, unit)),
  );
  const table = {
    id: slug(`operations ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: each operation of the mix, in ${unit.symbol}`,
    columns: figureColumns(
      "operation and stack",
      "share",
      "calls",
      "failed",
      "median",
      "95 % interval",
      "p90",
      "p99",
      "longest",
    ),
    rows,
    note: `Over all rounds; percentiles with at least five calls beyond them.${left === 0 ? "" : ` ${left} more operations in the other formats.`}`,
  };
  return { table: withoutEmptyColumns(table), stacks: task.arms.map(({ arm }) => arm) };
}

export const reportTable: StudyTable = {
  name: "operations",
  order: 5,
  section: "study",
  tables: (input, { tasks }, extent) => tasks.flatMap((task) => tableOf(input, task, extent) ?? []),
};
