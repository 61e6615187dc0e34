// What a table of a report is: where the report shows it, and the tables that it makes of one run.
import type { NamedTable, Topic } from "../basics/table.ts";
import type { ReportInput } from "./report-input.ts";
import type { StudyView, TaskView } from "./run-view.ts";

/** `short`: as much as a terminal shows. */
export type TableExtent = "all" | "short";

interface Ordered {
  /** The same as its file's name. */
  readonly name: string;
  /** Reports show the tables of one place from low to high. */
  readonly order: number;
}

/** With one task: beside the pictures of a topic, or among the `details` that a reader unfolds. */
export interface TaskTable extends Ordered {
  readonly place: Topic | "details";
  /** Null when the task has nothing for it. */
  table(input: ReportInput, study: StudyView, task: TaskView): NamedTable | null;
}

/** After the tasks of a study: what is concluded from all of them. */
export interface StudyTable extends Ordered {
  readonly place: "study";
  tables(input: ReportInput, study: StudyView, extent: TableExtent): readonly NamedTable[];
}

/** Once in a report, in a section of its own. */
export interface RunTable extends Ordered {
  readonly place: "first calls" | "environment";
  tables(input: ReportInput): readonly NamedTable[];
}

/** One kind of table. It is a file in `tables/` that exports `reportTable`. */
export type ReportTable = TaskTable | StudyTable | RunTable;
