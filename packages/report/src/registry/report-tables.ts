// Which tables a report has: in short (one screen per study) and in full.
import { headlinePart } from "../words/arm-label.ts";
import { shortTasks } from "../view/short-tasks.ts";
import { concurrencySeries, pauseCosts } from "@roundtrip/analysis";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyView, TaskView } from "../view/run-view.ts";
import type { Topic } from "../basics/topic.ts";
import type { NamedTable, Table } from "../basics/table.ts";
import { withMarkNote } from "../view/unsettled-mark.ts";
import { withVoidNote } from "../view/void-mark.ts";
import { anomalyTables } from "../tables/anomaly-table.ts";
import { concurrencyTables, demandTables } from "../tables/concurrency-tables.ts";
import { crossoverTable } from "../tables/crossover-table.ts";
import { breakEvenTable } from "../tables/break-even-table.ts";
import { comparisonTable } from "../tables/comparison-table.ts";
import { failedCallsTable } from "../tables/failed-calls-table.ts";
import { carriedTables } from "../tables/carried-table.ts";
import { loadTables } from "../tables/load-table.ts";
import { latencyTable } from "../tables/latency-table.ts";
import { percentileTables } from "../tables/percentile-table.ts";
import { pauseTable } from "../tables/pause-table.ts";
import { roundTripsTable } from "../tables/round-trips-table.ts";
import { isDistance } from "../view/run-view.ts";
import { timesTables } from "../tables/times-table.ts";
import { transfersTable } from "../tables/transfers-table.ts";
import { shapeTable, sweepTable } from "../tables/sweep-table.ts";

function noted({ analysis }: ReportInput, { table, stacks }: NamedTable): Table {
  return withMarkNote(analysis, withVoidNote(table), stacks);
}

/** What is concluded from all arms of a study: where its lines cross, and what they wait for. */
export function concludingTables(
  input: ReportInput,
  view: StudyView,
  extent: "all" | "short" = "all",
): readonly Table[] {
  const { study, published } = view;
  const tables = [
    ...carriedTables(input, study),
    ...loadTables(input, study),
    ...(extent === "all" ? percentileTables(input, study) : []),
    ...timesTables(input, view),
    failedCallsTable(input, view),
    ...demandTables(input, study),
    ...concurrencyTables(input, study, extent),
    ...anomalyTables(input, study, extent),
    breakEvenTable(input, study),
    roundTripsTable(input, study, published),
    transfersTable(input, study),
    crossoverTable(input, study),
    pauseTable(input, study),
  ];
  return tables.filter((table) => table !== null);
}

/** What fits a terminal: per task the sweep, or every arm where there is none; then what is concluded. */
export function shortTables(input: ReportInput, view: StudyView): readonly Table[] {
  const { published } = view;
  const perTask = shortTasks(input, view).map((task) =>
    task.sweep === null ? latencyTable(task, task.arms, "", published) : sweepTable(task, published),
  );
  return [...perTask.map((table) => noted(input, table)), ...concludingTables(input, view, "short")];
}

function isOfCallers({ analysis }: ReportInput, { arms }: TaskView): boolean {
  const alone = new Set(concurrencySeries(analysis).map((series) => series.alone.id));
  return arms.some(({ arm }) => alone.has(arm.id));
}

/** Whether rates were searched, so that no two stacks have one in common. */
function isSearched({ analysis }: ReportInput, { study, task }: TaskView): boolean {
  return analysis.carriedLoads.some((load) => load.study === study && load.task === task);
}

/** The tables that lead a task on a page, by topic: the sweep, its shape, and the full figures of the arms that stand for it. */
export function leadTables(
  input: ReportInput,
  { published }: StudyView,
  task: TaskView,
): Readonly<Partial<Record<Topic, Table>>> {
  // They are tables and pictures of their own, beside what a model says: here they would be a long list, or a sweep full of holes.
  if (isOfCallers(input, task) || isSearched(input, task)) return {};
  if (task.sweep === null) return { latency: noted(input, latencyTable(task, task.arms, "", published)) };
  const comparable =
    !isDistance(task) && published.some(({ rows }) => rows.some((row) => row.factors[task.sweep ?? ""] !== undefined));
  return {
    sweep: noted(input, sweepTable(task, published)),
    ...(comparable ? { shape: noted(input, shapeTable(task, published)) } : {}),
    latency: noted(input, latencyTable(task, task.headline, headlinePart(task), published)),
  };
}

/** What a reader unfolds: the figures of every arm of a sweep, and every comparison. */
export function detailTables(input: ReportInput, task: TaskView): readonly Table[] {
  const tables = [
    task.sweep === null ? null : latencyTable(task, task.arms, "all arms", []),
    comparisonTable(input, task),
  ];
  return tables.flatMap((table) => (table === null ? [] : [noted(input, table)]));
}
