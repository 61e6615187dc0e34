// The memory of both ends of each arm's stack, as the kernel and V8 report it.
import type { Metric } from "@roundtrip/analysis";
import { absent, number } from "../basics/quantity.ts";
import { figureColumns, slug, withoutEmptyColumns, type NamedTable } from "../basics/table.ts";
import type { ArmView, StudyTable, TaskView } from "../view/run-view.ts";
import { armLabel, headlineLabel } from "../words/arm-label.ts";

const mebibyte = 2 ** 20;
const kibibyte = 2 ** 10;

const figures: readonly { readonly heading: string; readonly figure: string; readonly unitBytes: number }[] = [
  { heading: "warm", figure: "WarmBytes", unitBytes: mebibyte },
  { heading: "end", figure: "ResidentBytes", unitBytes: mebibyte },
  { heading: "peak", figure: "PeakBytes", unitBytes: mebibyte },
  { heading: "live heap", figure: "HeapBytes", unitBytes: mebibyte },
  { heading: "allocated, KiB", figure: "AllocatedBytesPerTask", unitBytes: kibibyte },
];

const columns = (["server", "client"] as const).flatMap((end) =>
  figures.map(({ heading, figure, unitBytes }) => ({
    heading: `${end} ${heading}`,
    cell: ({ cost }: ArmView): string => {
      const bytes = cost[`${end}${figure}` as Metric]?.mean;
      return bytes === undefined ? absent : number(bytes / unitBytes);
    },
  })),
);

/** What the kernel of this system reported is missing only if another figure is there. */
function notesOf(arms: readonly ArmView[]): string {
  const has = (metric: Metric): boolean => arms.some(({ cost }) => cost[metric] !== undefined);
  return [
    "The processes serve all arms of their stack and keep what earlier blocks left.",
    has("clientResidentBytes")
      ? "Resident memory when the warm-up ended, at the end of a block and at its peak in a block."
      : "The system does not report the resident memory of processes.",
    "Live heap: objects after a forced collection at the end of a round. Allocated: bytes of new objects a task, without buffers, with those of this harness.",
  ].join(" ");
}

/** Null for a run without figures of memory. */
function memoryTable(task: TaskView): NamedTable | null {
  const arms = [...task.headline, ...task.inProcess];
  const table = withoutEmptyColumns({
    id: slug(`memory ${task.study} ${task.task}`),
    caption: `${headlineLabel(task)}: memory in MiB`,
    columns: figureColumns("arm", ...columns.map(({ heading }) => heading)),
    rows: arms.map((view) => ({
      role: view.arm.role === "style" ? "measured" : "floor",
      nested: null,
      cells: [armLabel(task, view.arm, arms), ...columns.map(({ cell }) => cell(view))],
    })),
    note: notesOf(arms),
  });
  return table.columns.length === 1 ? null : { table, stacks: arms.map(({ arm }) => arm) };
}

export const reportTable: StudyTable = {
  name: "memory",
  order: 90,
  section: "study",
  // The same processes answer the calls of all tasks.
  tables: (_, { tasks }, extent) =>
    (extent === "all" ? tasks : tasks.slice(0, 1)).flatMap((task) => memoryTable(task) ?? []),
};
