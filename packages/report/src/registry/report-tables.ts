// Which tables a report shows, and where: what each table of the registry makes of one run.
import { concurrencySeries } from "@roundtrip/analysis";
import { topics, type NamedTable, type Table, type Topic } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { TableExtent, RunTable, StudyTable, TaskTable } from "../view/report-table.ts";
import { shortTasks, type StudyView, type TaskView } from "../view/run-view.ts";
import { withMarkNote } from "../view/unsettled-mark.ts";
import { withVoidNote } from "../view/void-mark.ts";
import { loadTables } from "./registry.ts";

/** A table with the topic of the pictures that it stands with. */
export interface LeadTable {
  readonly topic: Topic;
  readonly table: Table;
}

/** The tables of one report, by where it shows them. */
export interface ReportTables {
  /** The tables that lead a task on a page. */
  readonly lead: (study: StudyView, task: TaskView) => readonly LeadTable[];
  /** What a reader unfolds below them. */
  readonly details: (study: StudyView, task: TaskView) => readonly Table[];
  /** What is concluded from all arms of a study. */
  readonly conclusions: (study: StudyView) => readonly Table[];
  /** What fits a terminal: the first table of each task, then what is concluded. */
  readonly short: (study: StudyView) => readonly Table[];
  /** Those of a section of the run. */
  readonly section: (place: RunTable["place"]) => readonly Table[];
}

function isOfCallers({ analysis }: ReportInput, { arms }: TaskView): boolean {
  const alone = new Set(concurrencySeries(analysis).map((series) => series.alone.id));
  return arms.some(({ arm }) => alone.has(arm.id));
}

/** Whether rates were searched, so that no two stacks have one in common. */
function isSearched({ analysis }: ReportInput, { study, task }: TaskView): boolean {
  return analysis.carriedLoads.some((load) => load.study === study && load.task === task);
}

function isOfTask(table: { readonly place: string }): table is TaskTable {
  return table.place === "details" || topics.some((topic) => topic === table.place);
}

/** The tables that the registry's tables make of a run. */
export async function reportTables(input: ReportInput): Promise<ReportTables> {
  const all = await loadTables();
  const ofTasks = all.filter(isOfTask);
  const ofStudies = all.filter((table): table is StudyTable => table.place === "study");
  const ofRuns = all.filter(
    (table): table is RunTable => table.place === "first calls" || table.place === "environment",
  );
  const noted = ({ table, stacks }: NamedTable): Table => withMarkNote(input.analysis, withVoidNote(table), stacks);
  const placed = (place: TaskTable["place"], study: StudyView, task: TaskView): readonly Table[] =>
    ofTasks
      .filter((table) => table.place === place)
      .flatMap((table) => {
        const made = table.table(input, study, task);
        return made === null ? [] : [noted(made)];
      });
  const leading = (study: StudyView, task: TaskView): readonly LeadTable[] =>
    topics.flatMap((topic) => placed(topic, study, task).map((table) => ({ topic, table })));
  const ofStudy = (study: StudyView, extent: TableExtent): readonly Table[] =>
    ofStudies.flatMap((table) => table.tables(input, study, extent)).map(noted);
  return {
    // Those tasks have tables and pictures of their own, beside what a model says: here they would be a long list, or a sweep full of holes.
    lead: (study, task) => (isOfCallers(input, task) || isSearched(input, task) ? [] : leading(study, task)),
    details: (study, task) => placed("details", study, task),
    conclusions: (study) => ofStudy(study, "all"),
    short: (study) => [
      ...shortTasks(input, study).flatMap((task) =>
        leading(study, task)
          .slice(0, 1)
          .map(({ table }) => table),
      ),
      ...ofStudy(study, "short"),
    ],
    section: (place) =>
      ofRuns.filter((table) => table.place === place).flatMap((table) => table.tables(input).map(noted)),
  };
}
