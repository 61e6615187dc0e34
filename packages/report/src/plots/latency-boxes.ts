// Box plots of a task's arms on one axis: letter values where there are samples enough for them, a Tukey box otherwise.
import { barX, dot, ruleY, tickX, type Markish } from "@observablehq/plot";
import type { Summary } from "@roundtrip/analysis";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { rows } from "../marks/rows.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { headlinePart } from "../words/arm-label.ts";
import { viewStudies, type ArmView, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";

const rowHeightPx = 34;

interface Box {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly summary: Summary;
  readonly view: ArmView;
}

/** Rings from the quartiles outward, each thinner and paler: the last letter value first, so that the box lies on top. */
function rings({ id, colour, view, summary }: Box, perMs: number): readonly Markish[] {
  const letters = (view.distribution?.letterValues ?? []).filter(({ depth }) => depth >= 2);
  const boxes = letters.length === 0 ? [{ depth: 2, low: summary.p25, high: summary.p75 }] : letters;
  return boxes
    .toSorted((a, b) => b.depth - a.depth)
    .map(({ depth, low, high }) =>
      barX([id], {
        y: (row: string) => row,
        x1: low * perMs,
        x2: high * perMs,
        fill: colour,
        fillOpacity: depth === 2 ? 0.9 : Math.max(0.16, 0.62 - 0.12 * (depth - 2)),
        insetTop: Math.min(13, 5 + 2 * (depth - 2)),
        insetBottom: Math.min(13, 5 + 2 * (depth - 2)),
      }),
    );
}

function draw(boxes: readonly Box[], widthPx: number): ReturnType<Figure["draw"]> {
  const unit = timeUnitFor(boxes.map(({ summary }) => summary.p50));
  const layout = rows({
    rows: boxes,
    values: boxes.flatMap(({ summary }) => [summary.min * unit.perMs, summary.max * unit.perMs]),
    label: `${unit.symbol} per task`,
    widthPx,
    rowHeightPx,
  });
  const outliers = boxes.flatMap(({ id, colour, view }) =>
    (view.distribution?.outliersDrawn ?? []).map((ms) => ({ id, colour, value: ms * unit.perMs })),
  );
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      dot(outliers, { x: "value", y: "id", r: 1.7, stroke: "colour", strokeOpacity: 0.75, strokeWidth: 1 }),
      ruleY(boxes, {
        y: "id",
        x1: ({ summary }: Box) => summary.whiskerLow * unit.perMs,
        x2: ({ summary }: Box) => summary.whiskerHigh * unit.perMs,
        stroke: "colour",
        strokeWidth: 1.5,
      }),
      ...boxes.flatMap((box) => rings(box, unit.perMs)),
      ...(["whiskerLow", "whiskerHigh"] as const).map((end) =>
        tickX(boxes, {
          y: "id",
          x: ({ summary }: Box) => summary[end] * unit.perMs,
          stroke: "colour",
          strokeWidth: 1.5,
          inset: 11,
        }),
      ),
      tickX(boxes, {
        y: "id",
        x: ({ summary }: Box) => summary.p50 * unit.perMs,
        stroke: "var(--paper)",
        strokeWidth: 2.5,
        inset: 5,
      }),
    ],
  };
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const colour = colours(input.analysis);
  const boxes = task.headline.flatMap((view): readonly Box[] =>
    view.latency === null
      ? []
      : [
          {
            id: view.arm.id,
            label: armLabel(task, view.arm, task.headline),
            colour: colour(view.arm),
            summary: view.latency,
            view,
          },
        ],
  );
  if (boxes.length === 0) return [];
  const unit = timeUnitFor(boxes.map(({ summary }) => summary.p50));
  const medians = boxes.map(({ label, summary }) => `${label} ${duration(summary.p50, unit)}`).join(", ");
  const part = headlinePart(task);
  const letters = boxes.some(({ view }) => (view.distribution?.letterValues.length ?? 0) > 0);
  return [
    {
      name: slug(`latency ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "latency",
      size: "full",
      title: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: latency per task`,
      alt: `Box plots on one axis. Medians in ${unit.symbol}: ${medians}.`,
      caption:
        `Box: quartiles, with the median as a gap; ${letters ? "paler boxes: further letter values, each holding half of what is left outside; " : ""}` +
        "whiskers: last samples within 1.5 interquartile ranges; rings: outliers, none deleted.",
      legend: [],
      draw: (widthPx) => draw(boxes, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "latency-boxes",
  order: 10,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
