// The box plot of a study on a terminal: the headline arms of its first task.
import type { ReportInput } from "../view/report-input.ts";
import { shortTasks, type StudyView } from "../view/run-view.ts";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { textBoxPlot, type BoxRow } from "./box-plot.ts";
import type { Inks } from "./ink.ts";

export interface BoxOptions {
  /** Maximum number of arms. */
  readonly mostBoxes: number;
  readonly hasLegend: boolean;
}

const whole: BoxOptions = { mostBoxes: Infinity, hasLegend: true };

/** Lines of the plot; empty for a study without such a task. */
export function taskBoxes(
  view: StudyView,
  input: ReportInput,
  ink: Inks,
  { mostBoxes, hasLegend } = whole,
): readonly string[] {
  const [task] = shortTasks(input, view);
  if (task === undefined) return [];
  const rows = task.headline.flatMap(({ arm, latency, distribution }): readonly BoxRow[] =>
    latency === null ? [] : [{ label: armLabel(task, arm, task.headline), summary: latency, distribution }],
  );
  const caption = `${headlineLabel(task)}: latency per task`;
  return textBoxPlot(caption, rows.slice(0, mostBoxes), { columns: input.page.columns, hasLegend }, ink);
}
