// Tables of a report: their position, and their rows from one run.
import type { NamedTable, Topic } from "../basics/table.ts";
import type { ReportInput } from "./report-input.ts";
import type { StudyView, TaskView } from "./run-view.ts";

/** `short`: what fits a terminal. */
export type TableExtent = "all" | "short";

interface Ordered {
  /** Equal to its file name. */
  readonly name: string;
  /** Reports show the tables of one position from low to high. */
  readonly order: number;
}

/** Shown with one task: beside the pictures of a topic, or among the folded `details`. */
export interface TaskTable extends Ordered {
  readonly section: Topic | "details";
  /** Null when the task has no data for it. */
  table(input: ReportInput, study: StudyView, task: TaskView): NamedTable | null;
}

/** Shown after the tasks of a study: conclusions from all of them. */
export interface StudyTable extends Ordered {
  readonly section: "study";
  tables(input: ReportInput, study: StudyView, extent: TableExtent): readonly NamedTable[];
}

/** Shown once per report, in its own section. */
export interface RunTable extends Ordered {
  readonly section: "first calls" | "environment";
  tables(input: ReportInput): readonly NamedTable[];
}

/** A table is a file in `tables/` that exports `reportTable`. */
export type ReportTable = TaskTable | StudyTable | RunTable;
