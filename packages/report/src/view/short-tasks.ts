// Which tasks have tables and box plots of their own on a terminal.
import { concurrencySeries, pauseCosts } from "@roundtrip/analysis";
import type { ReportInput } from "./report-input.ts";
import type { StudyView, TaskView } from "./run-view.ts";

/**
 * The tasks that a terminal has figures of their own for: those of the same call at once and after a pause stand in the table of pauses, those
 * under a load beside models.
 */
export function shortTasks({ analysis }: ReportInput, { tasks }: StudyView): readonly TaskView[] {
  const paused = new Set(pauseCosts(analysis).flatMap(({ atOnce, afterPause }) => [atOnce.id, afterPause.id]));
  const loaded = new Set([...analysis.loadSeries, ...concurrencySeries(analysis)].map(({ alone }) => alone.id));
  return tasks.filter(
    ({ arms }) => !arms.some(({ arm }) => loaded.has(arm.id)) && !arms.every(({ arm }) => paused.has(arm.id)),
  );
}
