// The full figures of a task's headline arms.
import { latencyTable } from "../rows/arm-table.ts";
import type { TaskTable } from "../view/run-view.ts";
import { headlinePart } from "../words/arm-label.ts";

export const reportTable: TaskTable = {
  name: "latency",
  order: 10,
  section: "latency",
  table: (_input, _study, task) => latencyTable(task, [...task.headline, ...task.inProcess], headlinePart(task)),
};
