// How latency grows over a sweep: each row divided by its own first value, so that shapes of different machines are comparable.
import type { TaskTable } from "../view/report-table.ts";
import { sweepLines, sweepColumns, stacksOf } from "../rows/sweep-lines.ts";
import { factorValue, taskLabel } from "../words/arm-label.ts";
import { absent } from "../basics/quantity.ts";
import type { PublishedFigures } from "../view/report-input.ts";
import { isDistance, type TaskView } from "../view/run-view.ts";
import { slug, type NamedTable, type Table } from "../basics/table.ts";

function shapeTable(task: TaskView, published: readonly PublishedFigures[]): NamedTable {
  const [first] = task.sweepValues;
  const lines = sweepLines(task, published).filter(({ means }) => first !== undefined && means.has(first));
  const table: Table = {
    id: slug(`shape ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: growth, with ${factorValue(task.sweep ?? "", first ?? 0)} as 1`,
    columns: sweepColumns(task),
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

/** Whether a source has the same sweep. Excludes distance, where lines are straight and not divided. */
function isPublished(task: TaskView, published: readonly PublishedFigures[]): boolean {
  const { sweep } = task;
  if (sweep === null || isDistance(task)) return false;
  return published.some(({ rows }) => rows.some((row) => row.factors[sweep] !== undefined));
}

export const reportTable: TaskTable = {
  name: "shape",
  order: 10,
  section: "shape",
  table: (_, { published }, task) => (isPublished(task, published) ? shapeTable(task, published) : null),
};
