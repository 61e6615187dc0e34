// Differences between arms as ratios with simultaneous intervals, and the verdict on each.
import type { TaskTable, TaskView } from "../view/run-view.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import type { Comparison } from "@roundtrip/analysis";
import { fewRoundsLegend, ratioInterval } from "../words/ratio-text.ts";
import { multiple } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { column, figureColumns, measuredRow, slug, type NamedTable, type Table } from "../basics/table.ts";

const verdicts: Readonly<Record<Comparison["verdict"], string>> = {
  different: "different",
  indistinguishable: "no difference (within 2 %)",
  inconclusive: "inconclusive",
};

function verdictText({ verdict, basis }: Comparison): string {
  return verdict === "different" && basis === "student-t" ? "likely different" : verdicts[verdict];
}

/** Which intervals hold together, in words about what this task compares. */
function familyNote(all: readonly Comparison["kind"][], { sweep }: TaskView): string {
  const kinds = [...new Set(all)];
  const together = kinds.length > 1 ? `for all rows of one kind (${kinds.join(", ")})` : "for all rows";
  const ends =
    sweep !== null && kinds.includes("stack")
      ? " Of stacks, the coarse variant at both ends of what varies has intervals of its own."
      : "";
  return `Paired within rounds; the intervals hold together ${together}.${ends}`;
}

/** The comparisons within a task, except with the floor (in the latency table). Null without any. */
function comparisonTable({ analysis }: ReportInput, task: TaskView): NamedTable | null {
  const arms = new Map(task.arms.map(({ arm }) => [arm.id, arm]));
  const rows = analysis.comparisons.flatMap((row) => {
    const [numerator, denominator] = [arms.get(row.numeratorId), arms.get(row.denominatorId)];
    if (row.kind === "floor" || numerator === undefined || denominator === undefined) return [];
    return [{ row, numerator, denominator }];
  });
  if (rows.length === 0) return null;
  const table: Table = {
    id: slug(`comparisons ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: latency ratios`,
    columns: [...figureColumns("comparison", "ratio", "95 % interval", "Hodges–Lehmann"), column.start("verdict")],
    rows: rows.map(({ row, numerator, denominator }) =>
      measuredRow([
        `${armLabel(task, numerator, task.arms)} / ${armLabel(task, denominator, task.arms)}`,
        multiple(row.ratio),
        ratioInterval(row),
        multiple(row.hodgesLehmann),
        verdictText(row),
      ]),
    ),
    note: [
      familyNote(
        rows.map(({ row }) => row.kind),
        task,
      ),
      fewRoundsLegend(rows.map(({ row }) => row)),
    ]
      .join(" ")
      .trimEnd(),
  };
  return { table, stacks: rows.flatMap(({ numerator, denominator }) => [numerator, denominator]) };
}

export const reportTable: TaskTable = {
  name: "comparisons",
  order: 20,
  section: "details",
  table: (input, _, task) => comparisonTable(input, task),
};
