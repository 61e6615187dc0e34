// The figures of a task's arms on one screen: one line an arm, and how many times as long as the fastest it takes.
import { inverted, type Comparison } from "@roundtrip/analysis";
import { bytes, duration, interval, multiple, timeUnitFor, absent } from "../basics/quantity.ts";
import { figureColumns, slug, withoutEmptyColumns, type NamedTable, type TableRow } from "../basics/table.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { ArmView, TaskView } from "../view/run-view.ts";
import { voidText, withVoidSign } from "../view/void-mark.ts";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { isTooWide } from "../words/ratio-text.ts";

function comparisonOf({ analysis }: ReportInput, armId: string, baseId: string): Comparison | undefined {
  return analysis.comparisons
    .flatMap((row) => [row, inverted(row)])
    .find(({ numeratorId, denominatorId }) => numeratorId === armId && denominatorId === baseId);
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
  const [first] = styles.toSorted((one, other) => (one.latency?.mean ?? 0) - (other.latency?.mean ?? 0));
  return claim?.armIds[1] ?? first?.arm.id ?? "";
}

/** The façade where it was measured: its other variants have lines of their own. */
function shownArms({ headline }: TaskView): readonly ArmView[] {
  const facades = headline.filter(({ arm }) => arm.variant === "facade");
  return facades.length === 0 ? headline : facades;
}

export function screenTable(input: ReportInput, task: TaskView): NamedTable {
  const arms = shownArms(task);
  // The unit of the largest mean keeps columns narrow.
  const unit = timeUnitFor([Math.max(...arms.map(({ latency }) => latency?.mean ?? 0))]);
  const show = (ms: number): string => duration(ms, unit);
  const fastest = fastestOf(input, arms);
  const row = ({ arm, latency, isVoid, cost }: ArmView): TableRow => ({
    role: arm.role === "floor" ? "floor" : "measured",
    nested: null,
    cells: [
      withVoidSign(isVoid, armLabel({ ...task, arms }, arm, arms)),
      isVoid ? voidText : duration(latency?.mean, unit),
      duration(latency?.stddev, unit),
      interval(latency?.meanLow, latency?.meanHigh, show),
      duration(latency?.p50, unit),
      duration(latency?.p99, unit),
      duration(cost.serverCpuMsPerTask?.mean, unit),
      duration(cost.clientCpuMsPerTask?.mean, unit),
      bytes(cost.wireBytesPerTask?.mean),
      latency === null ? absent : latency.n.toLocaleString("en-US"),
      arm.id === fastest && arms.length > 1 ? "1" : ratioCell(comparisonOf(input, arm.id, fastest)),
    ],
  });
  const table = withoutEmptyColumns({
    id: slug(`screen ${task.study} ${task.task}`),
    caption: `${headlineLabel(task)}: time and cost of a task, in ${unit.symbol}`,
    columns: figureColumns(
      "arm",
      "mean",
      "std dev",
      "95 % interval",
      "p50",
      "p99",
      "server CPU",
      "client CPU",
      "bytes",
      "calls",
      "× fastest",
    ),
    rows: arms.map(row),
    note: "",
  });
  return { table, stacks: arms.map(({ arm }) => arm) };
}
