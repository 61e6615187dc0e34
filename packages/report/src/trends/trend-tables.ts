// Trends as tables: one row per series, then the changes, then the breaks of the environment.
import { threeDigits, type Trend, type TrendChange } from "@roundtrip/analysis";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, type Table } from "../basics/table.ts";
import { changeText } from "../comparisons/change-text.ts";
import { momentLabel, revisionLabel, seriesNames, type TrendSeries } from "./trend-series.ts";

const isTime = /Ms(?:Per[A-Z]\w*)?$/;

/** `1.23 ms` for a metric in milliseconds, `272` for others; several share a unit: `0.999 → 1.20 ms`. */
export function metricValues(metric: string, ...values: readonly number[]): string {
  if (!isTime.test(metric)) return values.map(threeDigits).join(" → ");
  const unit = timeUnitFor(values);
  return `${values.map((value) => duration(value, unit)).join(" → ")} ${unit.symbol}`;
}

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** The last `columns` values; equal values are a flat line. */
export function sparkline(values: readonly number[], columns: number): string {
  const shown = values.slice(-columns);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  if (low === high) return blocks[3].repeat(shown.length);
  return shown
    .map((value) => blocks[Math.round(((value - low) / (high - low)) * (blocks.length - 1))] ?? blocks[0])
    .join("");
}

const sparkColumns = 24;

/** `+8.1 %`, or only the direction where a ratio has no meaning. */
export function sizeText({ ratio, before, after }: TrendChange): string {
  if (ratio !== null) return changeText(ratio);
  return after > before ? "up" : "down";
}

function changesText({ changes }: Trend): string {
  return changes.length === 0 ? "none" : changes.map((change) => sizeText(change)).join(", ");
}

export function trendTable(series: readonly TrendSeries[], caption: string): Table {
  const name = seriesNames(series);
  const rows = series.map((one) => {
    const { metric, trend } = one;
    const values = trend.points.map(({ mean }) => mean);
    const last = values.at(-1) ?? Number.NaN;
    return measuredRow([
      name(one),
      String(values.length),
      metricValues(metric, last),
      sparkline(values, sparkColumns),
      changesText(trend),
    ]);
  });
  const columns = [...figureColumns("what", "runs", "last"), column.start("course"), column.start("changes")];
  return { id: "trends", caption, columns, rows, note: "" };
}

/** One row for each change, newest first; null without changes. @param note the rate of false changes. */
export function trendChangesTable(series: readonly TrendSeries[], note: string): Table | null {
  const name = seriesNames(series);
  const found = series.flatMap((one) => one.trend.changes.map((change) => ({ one, change })));
  if (found.length === 0) return null;
  const pointOf = ({ one, change }: (typeof found)[number]) => one.trend.points[change.index];
  const rows = found
    .toSorted((a, b) => (pointOf(b)?.at ?? "").localeCompare(pointOf(a)?.at ?? ""))
    .map(({ one, change }) => {
      const { points } = one.trend;
      const [first, before] = [points[change.index], points[change.lastBefore]];
      return measuredRow([
        revisionLabel(first?.revision ?? ""),
        momentLabel(first?.at ?? ""),
        revisionLabel(before?.revision ?? ""),
        name(one),
        sizeText(change),
        metricValues(one.metric, change.before, change.after),
        change.p.toPrecision(1),
      ]);
    });
  const columns = [
    column.start("first run after"),
    column.start("when"),
    column.start("last before"),
    column.start("what"),
    column.end("change"),
    column.end("level"),
    column.end("p"),
  ];
  return { id: "trend-changes", caption: "Change points", columns, rows, note };
}

/** One row for each run with an environment different from the run before; null without any. */
export function trendBreaksTable(series: readonly TrendSeries[]): Table | null {
  const seen = new Map(
    series.flatMap(({ trend }) =>
      trend.breaks.map(({ index, differences }) => {
        const point = trend.points[index];
        const words = differences.map(({ what, base, head }) => `${what}: ${base} → ${head}`).join("; ");
        return [`${point?.runId} ${words}`, { point, words }] as const;
      }),
    ),
  );
  if (seen.size === 0) return null;
  const rows = [...seen.values()]
    .toSorted((a, b) => (b.point?.at ?? "").localeCompare(a.point?.at ?? ""))
    .map(({ point, words }) =>
      measuredRow([revisionLabel(point?.revision ?? ""), momentLabel(point?.at ?? ""), words]),
    );
  return {
    id: "trend-breaks",
    caption: "Breaks: the environment became another",
    columns: [column.start("run of"), column.start("when"), column.start("what differs from the run before")],
    rows,
    note: "Runs of one environment are read together; changes from one to another are not reported.",
  };
}
