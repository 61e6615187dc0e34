// Rates of one task belong into one picture, whatever has them: a panel or a curve for each.
import type { LoadSeries } from "@roundtrip/analysis";

/** The series of each task that was called at several rates, task by task. */
export function loadedTasks(series: readonly LoadSeries[]): readonly (readonly LoadSeries[])[] {
  return [...Map.groupBy(series, ({ study, task }) => `${study} ${task}`).values()];
}
