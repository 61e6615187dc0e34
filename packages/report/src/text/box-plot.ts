// Box plots drawn with characters: of one scale, and of a task's arms.
import type { ReportInput } from "../view/report-input.ts";
import { shortTasks, type StudyView } from "../view/run-view.ts";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { clip, hanging, pad, printable, type Inks } from "./text-table.ts";
import type { Distribution, Summary } from "@roundtrip/analysis";
import { axisTicks, scaleKindFor, tickLabel, timeUnitFor, valueScale } from "../basics/quantity.ts";

export interface BoxOptions {
  readonly mostBoxes: number;
  readonly hasLegend: boolean;
}

const whole: BoxOptions = { mostBoxes: Infinity, hasLegend: true };

/** Lines of the plot; empty for a study without such a task. */
export function taskBoxes(
  view: StudyView,
  input: ReportInput,
  ink: Inks,
  { mostBoxes, hasLegend } = whole,
): readonly string[] {
  const [task] = shortTasks(input, view);
  if (task === undefined) return [];
  const rows = task.headline.flatMap(({ arm, latency, distribution }): readonly BoxRow[] =>
    latency === null ? [] : [{ label: armLabel(task, arm, task.headline), summary: latency, distribution }],
  );
  const caption = `${headlineLabel(task)}: latency per task`;
  return textBoxPlot(caption, rows.slice(0, mostBoxes), { columns: input.page.columns, hasLegend }, ink);
}

export interface BoxRow {
  readonly label: string;
  readonly summary: Summary;
  readonly distribution: Distribution | null;
}

const narrowestPlot = 20;
const shortLegend = "┃ median, ▒ quartiles, · outliers";
const legend = "▒ quartiles, ┃ median, ├ ┤ last samples within 1.5 interquartile ranges, · outliers";

function draw(row: BoxRow, cell: (valueMs: number) => number, width: number): string {
  const cells = Array<string>(width).fill(" ");
  const put = (at: number, mark: string): void => void (cells[at] = mark);
  const fill = (from: number, to: number, mark: string): void => {
    for (let at = from; at <= to; at++) put(at, mark);
  };
  const { whiskerLow, p25, p50, p75, whiskerHigh, min, max, outliers } = row.summary;
  const extremes = outliers > 0 ? [min, max].filter((value) => value < whiskerLow || value > whiskerHigh) : [];
  for (const value of [...(row.distribution?.outliersDrawn ?? []), ...extremes]) put(cell(value), "·");
  fill(cell(whiskerLow), cell(whiskerHigh), "─");
  put(cell(whiskerLow), "├");
  put(cell(whiskerHigh), "┤");
  fill(cell(p25), cell(p75), "▒");
  put(cell(p50), "┃");
  return cells.join("").trimEnd();
}

function axis(
  ticks: readonly number[],
  cell: (valueMs: number) => number,
  width: number,
  show: (value: number) => string,
): readonly string[] {
  const rule = Array<string>(width).fill("─");
  const labels = Array<string>(width).fill(" ");
  let free = 0;
  for (const tick of ticks) {
    const text = show(tick);
    const from = Math.min(width - text.length, Math.max(0, cell(tick) - Math.floor(text.length / 2)));
    if (from < free) continue;
    rule[cell(tick)] = "┴";
    for (let at = 0; at < text.length; at++) labels[from + at] = text.charAt(at);
    free = from + text.length + 2;
  }
  return [rule.join(""), labels.join("").trimEnd()];
}

/** Lines of at most `columns` characters, caption first, legend last; empty without rows. */
export function textBoxPlot(
  caption: string,
  rows: readonly BoxRow[],
  { columns, hasLegend }: { readonly columns: number; readonly hasLegend: boolean },
  ink: Inks,
): readonly string[] {
  if (rows.length === 0) return [];
  const longest = Math.max(...rows.map(({ label }) => printable(label).length));
  const labelWidth = Math.min(longest, Math.max(8, columns - narrowestPlot - 2));
  const width = columns - labelWidth - 2;
  const values = rows.flatMap(({ summary }) => [summary.min, summary.max]);
  const scale = valueScale(values);
  const cell = (valueMs: number): number => Math.min(width - 1, Math.max(0, Math.round(scale(valueMs) * (width - 1))));
  const unit = timeUnitFor(rows.map(({ summary }) => summary.p50));
  const kind = scaleKindFor(values) === "log" ? ", logarithmic" : "";
  const [rule = "", labels = ""] = axis(axisTicks(values, 8), cell, width, (tick) => tickLabel(tick * unit.perMs));
  const margin = " ".repeat(labelWidth + 2);
  const title = printable(`${caption}, in ${unit.symbol}${kind}`);
  const explained = `${title} (${shortLegend})`;
  const isExplained = !hasLegend && explained.length <= columns;
  return [
    ...hanging("", isExplained ? explained : title, columns).map(ink.heading),
    ...rows.map(
      (row) => `${pad(clip(printable(row.label), labelWidth), labelWidth, "start")}  ${draw(row, cell, width)}`,
    ),
    margin + ink.quiet(rule),
    margin + ink.quiet(labels),
    ...(hasLegend ? hanging("", legend, columns).map(ink.quiet) : []),
  ];
}
