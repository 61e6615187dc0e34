// What the façade buys over distance: how many times its latency the other ways to call take, from the nearest to the farthest.
import { areaY, dot, line, ruleY } from "@observablehq/plot";
import type { Arm, Comparison } from "@roundtrip/analysis";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels, type Panel } from "../marks/panels.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { colours, variantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { fewRoundsNote } from "../words/few-rounds-mark.ts";
import { multiple } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { isDistance, viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { seriesName, seriesOf } from "../rows/series.ts";

const panelHeightPx = 230;

interface Curve extends LegendEntry {
  readonly panel: Panel;
  readonly arm: Arm;
  readonly points: readonly {
    readonly at: number;
    readonly ratio: number;
    readonly low: number;
    readonly high: number;
    readonly basis: Comparison["basis"];
  }[];
}

function curvesOf(task: TaskView, { analysis }: ReportInput): readonly Curve[] {
  const colour = colours(analysis);
  const ratios = new Map(
    analysis.comparisons
      .filter(({ kind }) => kind === "variant")
      .map((row): [string, Comparison] => [row.numeratorId, row]),
  );
  return seriesOf(task).flatMap((series): readonly Curve[] => {
    if (series.arm.role !== "style") return [];
    const points = series.points.flatMap(({ at, view }) => {
      const row = ratios.get(view.arm.id);
      return row === undefined
        ? []
        : [{ at, ratio: row.ratio, low: row.low ?? row.ratio, high: row.high ?? row.ratio, basis: row.basis }];
    });
    if (points.length === 0) return [];
    const { arm, variant } = series;
    return [
      {
        arm,
        panel: { id: series.id, name: series.title },
        label: seriesName(series, true),
        colour: colour(arm),
        look: variantLook(variant),
        points,
      },
    ];
  });
}

/** Bands of a few rounds may be wider than everything else: this much more than the highest ratio is shown of them. */
const headroom = 1.35;

function draw(task: TaskView, curves: readonly Curve[], widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(
    curves.map(({ panel }) => panel),
    widthPx,
    panelHeightPx,
  );
  const top = Math.ceil(headroom * Math.max(...curves.flatMap(({ points }) => points.map(({ ratio }) => ratio))));
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "linear", domain: [0, task.sweepValues.at(-1) ?? 1], inset: 8 },
    y: { domain: [0, top] },
    marks: [
      ...valueAxisY({
        label: "times the latency of the façade",
        ticks: Array.from({ length: top + 1 }, (_, tick) => tick),
      }),
      ...valueAxisX({ label: factorLabel(task.sweep ?? ""), ticks: task.sweepValues }),
      layout.names,
      ruleY([1], { stroke: "var(--ink)", strokeWidth: 1.25 }),
      ...curves.flatMap(({ colour, look, panel, points }) => {
        const placed = points.map((point) => ({ ...point, panel: panel.id, high: Math.min(point.high, top) }));
        const place = { ...layout.facet, x: "at" } as const;
        const symbol = look.symbol === "none" ? "circle" : look.symbol;
        return [
          areaY(placed, { ...place, y1: "low", y2: "high", fill: colour, fillOpacity: 0.14 }),
          line(placed, { ...place, y: "ratio", stroke: colour, strokeWidth: 2, strokeDasharray: look.dash }),
          dot(placed, { ...place, y: "ratio", fill: colour, stroke: "var(--paper)", symbol, r: 4 }),
        ];
      }),
    ],
  };
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const curves = curvesOf(task, input);
  if (curves.length === 0) return [];
  const ways = [...new Set(curves.map(({ arm }) => variantLabel(arm.variant)))];
  const ends = curves.map(
    ({ label, points }) => `${label} ${multiple(points[0]?.ratio)} to ${multiple(points.at(-1)?.ratio)}`,
  );
  return [
    {
      name: slug(`facade over distance ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: what the façade buys over distance`,
      alt: `Latency of ${ways.join(", ")} as multiples of the façade's, from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)} ms: ${ends.join("; ")}.`,
      caption:
        `The line at 1 is the façade over the same style. Bands: 95 % intervals, which hold together over all of them, cut where they leave the picture. ${fewRoundsNote(curves.flatMap(({ points }) => points))}`.trimEnd(),
      legend: [...new Set(curves.map(({ arm }) => arm.variant))].map((variant) => ({
        label: variantLabel(variant),
        colour: "var(--ink)",
        look: variantLook(variant),
      })),
      draw: (widthPx) => draw(task, curves, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "facade-over-distance",
  order: 4,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks }) => tasks.filter(isDistance).flatMap((task) => figure(task, input))),
};
