// The calls of a study that failed, by how they ended: what a server refused under a load, or left unanswered when it was killed.
import type { StudyTable } from "../view/report-table.ts";
import type { Arm } from "@roundtrip/analysis";
import type { ReportInput } from "../view/report-input.ts";
import type { StudyView, TaskView } from "../view/run-view.ts";
import { column, slug, type Table } from "../basics/table.ts";
import { seriesLabel, studyLabel, taskLabel } from "../words/arm-label.ts";
import { voidMarked } from "../view/void-mark.ts";
import { differingText, rateText } from "../rows/load-rows.ts";

const count = (value: number): string => value.toLocaleString("en-US");

/** The series, what differs, and the rate at which it was called. */
function nameOf(task: TaskView, arm: Arm): string {
  const beside = task.arms.flatMap((row) => (row.arm.role === arm.role ? [row.arm] : []));
  const differing = differingText(arm, beside, ["arrivals", "rateHz"]);
  const { rateHz } = arm.factors;
  const parts = [seriesLabel(task, arm), differing, typeof rateHz === "number" ? rateText(rateHz) : ""];
  return parts.filter((part) => part !== "").join(", ");
}

/** Null when every call of the study was answered. */
function failedCallsTable({ analysis }: ReportInput, { study, tasks }: StudyView): Table | null {
  const failures = new Map(analysis.callFailures.map((row) => [row.armId, row]));
  const failed = tasks.flatMap((task) =>
    task.arms.flatMap(({ arm }) => {
      const of = failures.get(arm.id);
      const group = taskLabel(task);
      return of === undefined ? [] : [{ of, group, name: voidMarked(analysis, arm.id, nameOf(task, arm)) }];
    }),
  );
  if (failed.length === 0) return null;
  const outcomes = [...new Set(failed.flatMap(({ of }) => Object.keys(of.counts)))].toSorted();
  return {
    id: slug(`failed ${study}`),
    caption: `${studyLabel(study)}: calls that failed, by outcome`,
    columns: [column.start("arm"), column.end("calls"), ...outcomes.map((outcome) => column.end(outcome))],
    rows: failed.map(({ of, group, name }) => ({
      role: "measured",
      nested: { groupId: group, group, name },
      cells: [
        tasks.length === 1 ? name : `${group}: ${name}`,
        count(of.calls),
        ...outcomes.map((outcome) => count(of.counts[outcome] ?? 0)),
      ],
    })),
    note: "Tasks with a call that failed have no latency. Outcomes are canonical codes; NOT_SENT and NO_SOCKET are calls that the client did not send.",
  };
}

export const reportTable: StudyTable = {
  name: "failed-calls",
  order: 50,
  place: "study",
  tables: (input, study) => [failedCallsTable(input, study)].filter((table) => table !== null),
};
