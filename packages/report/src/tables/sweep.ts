// A sweep on one screen: a row per stack and variant, a column per value of the swept factor.
import { isDistance, type TaskTable, type TaskView } from "../view/run-view.ts";
import { sweepLines, sweepColumns, stacksOf } from "../rows/series.ts";
import { taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { PublishedFigures } from "@roundtrip/runs";
import { voidText } from "../view/marks.ts";
import { slug, type NamedTable, type Table } from "../basics/table.ts";

function sweepTable(task: TaskView, published: readonly PublishedFigures[]): NamedTable {
  const lines = sweepLines(task, published);
  const unit = timeUnitFor(lines.filter(({ role }) => role === "measured").flatMap(({ means }) => [...means.values()]));
  const table: Table = {
    id: slug(`sweep ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: mean latency per task, in ${unit.symbol}`,
    columns: sweepColumns(task),
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

export const reportTable: TaskTable = {
  name: "sweep",
  order: 10,
  section: "sweep",
  table: (_, { published }, task) => (task.sweep === null ? null : sweepTable(task, published)),
};
