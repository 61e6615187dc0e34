// The figures of a task's arms, one row per arm: in full, and for one screen with multiples of the fastest.
import { inverted, isCoarse, isTooWide, listed, type Comparison } from "@roundtrip/analysis";
import { configurationOf, type Arm } from "@roundtrip/runs";
import { absent, bytes, duration, interval, multiple, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import { figureColumns, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";
import { lateTailNote, voidText, withVoidSign } from "../view/marks.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { ArmView, TaskView } from "../view/run-view.ts";
import { armLabel, headlineLabel, taskLabel } from "../words/arm-label.ts";

/** One sentence about arms with parallel calls; empty without any, or where their connections are unknown. */
export function connectionsNote(arms: readonly Arm[]): string {
  const atOnce = arms.flatMap(({ connections, ...arm }) =>
    arm.variant !== "chatty-parallel" || connections === undefined ? [] : [{ ...arm, connections }],
  );
  const most = [...Map.groupBy(atOnce, configurationOf).values()].flatMap((ofStack) =>
    ofStack.slice(0, 1).map(({ title }) => ({ title, count: Math.max(...ofStack.map((arm) => arm.connections)) })),
  );
  const each = [...Map.groupBy(most, ({ count }) => count)].map(([count, stacks]) => {
    const titles = stacks.map(({ title }) => title);
    return `${count === 1 ? "one connection" : `${count} connections`} over ${listed(titles)}`;
  });
  return each.length === 0 ? "" : `Calls made at once shared ${listed(each)}.`;
}

interface ArmColumn {
  readonly heading: string;
  readonly cell: (view: ArmView, unit: TimeUnit) => string;
}

const mean: ArmColumn = {
  heading: "mean",
  cell: ({ latency, isVoid }, unit) => (isVoid ? voidText : duration(latency?.mean, unit)),
};
const deviation: ArmColumn = { heading: "std dev", cell: ({ latency }, unit) => duration(latency?.stddev, unit) };
const ofMean: ArmColumn = {
  heading: "95 % interval",
  cell: ({ latency }, unit) => interval(latency?.meanLow, latency?.meanHigh, (ms) => duration(ms, unit)),
};

function percentile(heading: "p50" | "p95" | "p99"): ArmColumn {
  return { heading, cell: ({ latency }, unit) => duration(latency?.[heading], unit) };
}

const costs: readonly ArmColumn[] = [
  { heading: "server CPU", cell: ({ cost }, unit) => duration(cost.serverCpuMsPerTask?.mean, unit) },
  { heading: "client CPU", cell: ({ cost }, unit) => duration(cost.clientCpuMsPerTask?.mean, unit) },
  { heading: "bytes", cell: ({ cost }) => bytes(cost.wireBytesPerTask?.mean) },
];

function armRow(label: string, view: ArmView, columns: readonly ArmColumn[], unit: TimeUnit): TableRow {
  const role = view.arm.role === "style" ? "measured" : "floor";
  const cells = [withVoidSign(view.isVoid, label), ...columns.map(({ cell }) => cell(view, unit))];
  return { role, nested: null, cells };
}

const fullColumns: readonly ArmColumn[] = [
  mean,
  deviation,
  ofMean,
  percentile("p50"),
  percentile("p95"),
  percentile("p99"),
  { heading: "first message", cell: ({ cost }, unit) => duration(cost.firstByteMs?.mean, unit) },
  { heading: "× floor", cell: ({ arm, floor }) => (arm.role === "floor" ? "1" : multiple(floor?.ratio)) },
  {
    heading: "× in process",
    cell: ({ arm, inProcess }) => (arm.role === "in-process" ? "1" : multiple(inProcess?.ratio)),
  },
  ...costs,
];

function notesOf(arms: readonly ArmView[]): readonly string[] {
  const late = lateTailNote(
    arms.flatMap(({ lateTail }) => lateTail ?? []),
    arms.map(({ arm }) => arm.id),
  );
  return [
    arms.some(({ latency }) => (latency?.meanLow ?? null) !== null)
      ? "The interval is of the mean, at the level of rounds."
      : "",
    arms.some(({ floor }) => floor !== null)
      ? "× floor is the geometric mean over rounds, so it is not quite the quotient of the means."
      : "",
    arms.some(({ arm }) => arm.role === "in-process")
      ? "In process: a call of the service by its client, which encodes and decodes both messages. It has no server, and all its CPU is the client's."
      : "",
    arms.some(({ cost }) => cost.serverCpuMsPerTask !== undefined) ? "CPU is that of the whole process." : "",
    connectionsNote(arms.map(({ arm }) => arm)),
    late,
  ].filter((note) => note !== "");
}

/** Latency and cost per task of `arms`, the part of the task's arms that `part` names. */
export function latencyTable(task: TaskView, arms: readonly ArmView[], part: string): NamedTable {
  const unit = timeUnitFor(arms.flatMap(({ latency }) => (latency === null ? [] : [latency.p50])));
  const table = withoutEmptyColumns({
    id: slug(`latency ${task.study} ${task.task} ${part}`),
    caption: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: latency and cost per task, in ${unit.symbol}`,
    columns: figureColumns("arm", ...fullColumns.map(({ heading }) => heading)),
    rows: arms.map((view) => armRow(armLabel(task, view.arm, arms), view, fullColumns, unit)),
    note: notesOf(arms).join(" "),
  });
  return { table, stacks: arms.map(({ arm }) => arm) };
}

/** The column's heading has the sign of multiples. */
function times(ratio: number): string {
  return multiple(ratio).slice(0, -1);
}

/** `1.72 (1.50 to 2.00)`; the figure alone without an interval; only a limit where the interval is too wide for a figure. */
function ratioCell(comparison: Comparison | undefined): string {
  if (comparison === undefined) return absent;
  const { ratio, low, high } = comparison;
  if (low !== null && high !== null && isTooWide(comparison)) {
    if (low > 1) return `at least ${times(low)}`;
    return high < 1 ? `at most ${times(high)}` : "cannot tell";
  }
  const range = low === null || high === null ? "" : ` (${interval(low, high, times)})`;
  return `${times(ratio)}${range}`;
}

/** The arm that others are held against: that of the task's claims about styles, else the one with the lowest mean. */
function fastestOf({ analysis }: ReportInput, arms: readonly ArmView[]): string {
  const ids = new Set(arms.map(({ arm }) => arm.id));
  const claim = analysis.claims.find(({ kind, armIds }) => kind === "style" && ids.has(armIds[1] ?? ""));
  const styles = arms.filter(({ arm, latency }) => arm.role === "style" && latency !== null);
  const [first] = styles.toSorted((left, right) => (left.latency?.mean ?? 0) - (right.latency?.mean ?? 0));
  return claim?.armIds[1] ?? first?.arm.id ?? "";
}

/** How many times as long as the fastest each arm takes. */
function multiplesOfFastest(input: ReportInput, arms: readonly ArmView[]): ArmColumn {
  const fastest = fastestOf(input, arms);
  const comparisons = input.analysis.comparisons
    .flatMap((row) => [row, inverted(row)])
    .filter(({ denominatorId }) => denominatorId === fastest);
  return {
    heading: "× fastest",
    cell: ({ arm }) =>
      arm.id === fastest && arms.length > 1
        ? "1"
        : ratioCell(comparisons.find(({ numeratorId }) => numeratorId === arm.id)),
  };
}

/** One line an arm, for one screen. Of the façade and its other variants, only the façade: the others have lines of their own. */
export function screenTable(input: ReportInput, task: TaskView): NamedTable {
  const coarse = task.headline.filter(({ arm }) => isCoarse(arm.variant));
  // Without calls in process: a sentence has them.
  const arms = coarse.length === 0 ? task.headline : coarse;
  // The unit of the largest mean keeps columns narrow.
  const unit = timeUnitFor([Math.max(...arms.map(({ latency }) => latency?.mean ?? 0))]);
  const columns: readonly ArmColumn[] = [
    mean,
    deviation,
    ofMean,
    percentile("p50"),
    percentile("p99"),
    ...costs,
    { heading: "calls", cell: ({ latency }) => (latency === null ? absent : latency.n.toLocaleString("en-US")) },
    multiplesOfFastest(input, arms),
  ];
  const table = withoutEmptyColumns({
    id: slug(`screen ${task.study} ${task.task}`),
    caption: `${headlineLabel(task)}: time and cost of a task, in ${unit.symbol}`,
    columns: figureColumns("arm", ...columns.map(({ heading }) => heading)),
    rows: arms.map((view) => armRow(armLabel({ ...task, arms }, view.arm, arms), view, columns, unit)),
    note: "",
  });
  return { table, stacks: arms.map(({ arm }) => arm) };
}
