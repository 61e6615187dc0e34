// The failed calls of a study by outcome, such as refused under a load, or unanswered when the server was killed.
import type { StudyTable, StudyView, TaskView } from "../view/run-view.ts";
import type { Arm } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { figureColumns, measuredRow, slug, type NamedTable, type Table } from "../basics/table.ts";
import { seriesLabel, studyLabel, taskLabel } from "../words/arm-label.ts";
import { voidMarked } from "../view/marks.ts";
import { differingText, rateText } from "../rows/load-rows.ts";

const count = (value: number): string => value.toLocaleString("en-US");

function nameOf(task: TaskView, arm: Arm): string {
  const beside = task.arms.flatMap((row) => (row.arm.role === arm.role ? [row.arm] : []));
  const differing = differingText(arm, beside, ["arrivals", "rateHz"]);
  const { rateHz } = arm.factors;
  const parts = [seriesLabel(task, arm), differing, typeof rateHz === "number" ? rateText(rateHz) : ""];
  return parts.filter((part) => part !== "").join(", ");
}

function failedCallsTables({ analysis }: ReportInput, { study, tasks }: StudyView): readonly NamedTable[] {
  const failures = new Map(analysis.callFailures.map((row) => [row.armId, row]));
  const failed = tasks.flatMap((task) =>
    task.arms.flatMap(({ arm }) => {
      const of = failures.get(arm.id);
      const group = taskLabel(task);
      return of === undefined ? [] : [{ of, group, name: voidMarked(analysis, arm.id, nameOf(task, arm)) }];
    }),
  );
  if (failed.length === 0) return [];
  const outcomes = [...new Set(failed.flatMap(({ of }) => Object.keys(of.counts)))].toSorted();
  const table: Table = {
    id: slug(`failed ${study}`),
    caption: `${studyLabel(study)}: calls that failed, by outcome`,
    columns: figureColumns("arm", "calls", ...outcomes),
    rows: failed.map(({ of, group, name }) => {
      const counts = [of.calls, ...outcomes.map((outcome) => of.counts[outcome] ?? 0)].map(count);
      return measuredRow([tasks.length === 1 ? name : `${group}: ${name}`, ...counts], { groupId: group, group, name });
    }),
    note: "Tasks with a call that failed have no latency. Outcomes are canonical codes; NOT_SENT and NO_SOCKET are calls that the client did not send.",
  };
  return [{ table, stacks: [] }];
}

export const reportTable: StudyTable = {
  name: "failed-calls",
  order: 50,
  section: "study",
  tables: failedCallsTables,
};
