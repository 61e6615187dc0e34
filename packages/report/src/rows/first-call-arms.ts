// The arms that have first calls, with their names.
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type ArmView } from "../view/run-view.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";

// With more arms the figure becomes unreadable.
const manyArms = 12;

/** The arms that have first calls; for a task with many, its headline arms. */
export function firstCallArms(input: ReportInput): readonly { readonly label: string; readonly view: ArmView }[] {
  return viewStudies(input).flatMap(({ tasks }) =>
    tasks.flatMap((task) => {
      const all = task.arms.filter(({ cost }) => cost.firstCallMs !== undefined);
      const standing = task.headline.filter(({ cost }) => cost.firstCallMs !== undefined);
      return (all.length > manyArms && standing.length > 0 ? standing : all).map((view) => ({
        label: `${taskLabel(task)}, ${armLabel(task, view.arm, task.arms)}`,
        view,
      }));
    }),
  );
}
