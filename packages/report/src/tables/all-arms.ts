// The full figures of every arm of a sweep.
import { latencyTable } from "../rows/arm-table.ts";
import type { TaskTable } from "../view/run-view.ts";

export const reportTable: TaskTable = {
  name: "all-arms",
  order: 10,
  section: "details",
  table: (_input, _study, task) => (task.sweep === null ? null : latencyTable(task, task.arms, "all arms")),
};
