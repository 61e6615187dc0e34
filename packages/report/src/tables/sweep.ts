// A sweep on one screen: a row per stack and variant, a column per value of the swept factor.
import type { TaskTable, TaskView } from "../view/run-view.ts";
import { sweepLines, sweepColumns } from "../rows/series.ts";
import { taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { voidText } from "../view/marks.ts";
import { slug, type NamedTable, type Table } from "../basics/table.ts";

function sweepTable(task: TaskView): NamedTable {
  const lines = sweepLines(task);
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
    note: "",
  };
  return { table, stacks: lines.map(({ arm }) => arm) };
}

export const reportTable: TaskTable = {
  name: "sweep",
  order: 10,
  section: "sweep",
  table: (_input, _study, task) => (task.sweep === null ? null : sweepTable(task)),
};
