// The pictures and tables that a report shows, and their positions.
import { concurrencySeries } from "@roundtrip/analysis";
import { topics, type NamedTable, type Table, type Topic } from "../basics/table.ts";
import type { RenderedPlot } from "../marks/draw-figure.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { loadPlots, loadTables } from "./registry.ts";
import { markNote, withVoidNote } from "../view/marks.ts";
import type { ReportInput } from "../view/report-input.ts";
import {
  shortTasks,
  type TableExtent,
  type RunTable,
  type StudyTable,
  type TaskTable,
  type StudyView,
  type TaskView,
} from "../view/run-view.ts";

export async function figuresOf(input: ReportInput): Promise<readonly ShownFigure[]> {
  const { analysis } = input;
  return (await loadPlots())
    .flatMap((plot) => plot.figures(input))
    .map((figure) => {
      const arms = analysis.arms.filter(
        ({ study, task }) => study === (figure.study ?? study) && task === (figure.task ?? task),
      );
      return { ...figure, footnote: markNote(analysis, arms) };
    });
}

export async function renderPlots(input: ReportInput): Promise<readonly RenderedPlot[]> {
  // Loaded on demand: reports without pictures need no DOM.
  const { renderFigure } = await import("../marks/draw-figure.ts");
  return (await figuresOf(input)).map(renderFigure);
}

/** A table with the topic of its pictures. */
export interface LeadTable {
  readonly topic: Topic;
  readonly table: Table;
}

export interface ReportTables {
  /** The tables of the publications that a study repeats, which lead it. */
  readonly published: (study: StudyView) => readonly Table[];
  /** The main tables of a task on a page. */
  readonly lead: (study: StudyView, task: TaskView) => readonly LeadTable[];
  /** The folded tables below them. */
  readonly details: (study: StudyView, task: TaskView) => readonly Table[];
  readonly conclusions: (study: StudyView) => readonly Table[];
  /** Tables for a terminal: the first of each task, then the conclusions. */
  readonly short: (study: StudyView) => readonly Table[];
  readonly section: (name: RunTable["section"]) => readonly Table[];
}

function isOfCallers({ analysis }: ReportInput, { arms }: TaskView): boolean {
  const alone = new Set(concurrencySeries(analysis).map((series) => series.alone.id));
  return arms.some(({ arm }) => alone.has(arm.id));
}

/** Whether rates were searched, so that no two stacks share one. */
function isSearched({ analysis }: ReportInput, { study, task }: TaskView): boolean {
  return analysis.carriedLoads.some((load) => load.study === study && load.task === task);
}

function isOfTask(table: { readonly section: string }): table is TaskTable {
  return table.section === "details" || topics.some((topic) => topic === table.section);
}

function noted({ table }: NamedTable): Table {
  return withVoidNote(table);
}

export async function reportTables(input: ReportInput): Promise<ReportTables> {
  const all = await loadTables();
  const ofTasks = all.filter(isOfTask);
  const ofStudies = all.filter(
    (table): table is StudyTable => table.section === "study" || table.section === "published",
  );
  const ofRuns = all.filter(
    (table): table is RunTable => table.section === "first calls" || table.section === "environment",
  );
  const tablesIn = (section: TaskTable["section"], study: StudyView, task: TaskView): readonly Table[] =>
    ofTasks
      .filter((table) => table.section === section)
      .flatMap((table) => {
        const made = table.table(input, study, task);
        return made === null ? [] : [noted(made)];
      });
  const leading = (study: StudyView, task: TaskView): readonly LeadTable[] =>
    topics.flatMap((topic) => tablesIn(topic, study, task).map((table) => ({ topic, table })));
  const ofStudy = (study: StudyView, extent: TableExtent, section: StudyTable["section"] = "study"): readonly Table[] =>
    ofStudies
      .filter((table) => table.section === section)
      .flatMap((table) => table.tables(input, study, extent))
      .map(noted);
  return {
    published: (study) => ofStudy(study, "all", "published"),
    // Those tasks have their own tables and pictures beside a model. Here they would make a long list, or a sweep full of gaps.
    lead: (study, task) => (isOfCallers(input, task) || isSearched(input, task) ? [] : leading(study, task)),
    details: (study, task) => tablesIn("details", study, task),
    conclusions: (study) => ofStudy(study, "all"),
    short: (study) => [
      ...shortTasks(input, study).flatMap((task) =>
        leading(study, task)
          .slice(0, 1)
          .map(({ table }) => table),
      ),
      ...ofStudy(study, "short"),
    ],
    section: (name) =>
      ofRuns.filter((table) => table.section === name).flatMap((table) => table.tables(input).map(noted)),
  };
}
