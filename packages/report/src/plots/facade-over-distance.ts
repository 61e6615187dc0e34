// The latency of other variants as a multiple of the façade's, from the nearest distance to the farthest.
import { ruleY, type PlotOptions } from "@observablehq/plot";
import type { Comparison } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { chart, type Panel, panels } from "../marks/panels.ts";
import { curveMarks, variantLegend, type CurvePoint } from "../marks/curve.ts";
import { colours, variantLook } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { fewRoundsNote } from "../words/ratio-text.ts";
import { multiple } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { isDistance, type TaskView } from "../view/run-view.ts";
import { seriesName, seriesOf } from "../rows/series.ts";

const panelHeightPx = 230;

interface Curve {
  readonly panel: Panel;
  readonly label: string;
  readonly colour: string;
  readonly arm: Arm;
  readonly points: readonly (CurvePoint & { readonly high: number; readonly row: Comparison })[];
}

function curvesOf(task: TaskView, { analysis }: ReportInput): readonly Curve[] {
  const colour = colours(analysis);
  const ratios = new Map(
    analysis.comparisons
      .filter(({ kind }) => kind === "variant")
      .map((row): [string, Comparison] => [row.numeratorId, row]),
  );
  return seriesOf(task).flatMap((series): readonly Curve[] => {
    const { arm, id, title } = series;
    if (arm.role !== "style") return [];
    const points = series.points.flatMap(({ at, view }) => {
      const row = ratios.get(view.arm.id);
      if (row === undefined) return [];
      const { ratio: y, low, high } = row;
      return [{ panel: id, at, y, low: low ?? y, high: high ?? y, row }];
    });
    if (points.length === 0) return [];
    return [{ arm, panel: { id, name: title }, label: seriesName(series, true), colour: colour(arm), points }];
  });
}

/** Bands from few rounds may be very wide: the axis ends this far above the highest ratio. */
const headroom = 1.35;

function draw({ sweep, sweepValues }: TaskView, curves: readonly Curve[], widthPx: number): PlotOptions {
  const all = curves.map(({ panel }) => panel);
  const layout = panels(all, widthPx, panelHeightPx);
  const top = Math.ceil(headroom * Math.max(...curves.flatMap(({ points }) => points.map(({ y }) => y))));
  return chart(
    layout.options,
    {
      type: "linear",
      domain: [0, sweepValues.at(-1) ?? 1],
      inset: 8,
      label: factorLabel(sweep ?? ""),
      ticks: sweepValues,
    },
    {
      domain: [0, top],
      label: "times the latency of the façade",
      ticks: Array.from({ length: top + 1 }, (_, tick) => tick),
    },
    [
      layout.names,
      ruleY([1], { stroke: "var(--ink)", strokeWidth: 1.25 }),
      ...curves.flatMap(({ arm, colour, points }) => {
        const cut = points.map((point) => ({ ...point, high: Math.min(point.high, top) }));
        const { facet } = layout;
        return curveMarks(cut, { colour, look: variantLook(arm.variant), strokePx: 2, pointPx: 4, facet, band: 0.14 });
      }),
    ],
  );
}

export const plot = taskPlot({
  name: "facade-over-distance",
  order: 4,
  figure(task, input) {
    const curves = isDistance(task) ? curvesOf(task, input) : [];
    if (curves.length === 0) return null;
    const variants = curves.map(({ arm }) => arm.variant);
    const names = [...new Set(variants.map(variantLabel))];
    const ends = curves.map(
      ({ label, points }) => `${label} ${multiple(points[0]?.y)} to ${multiple(points.at(-1)?.y)}`,
    );
    const note = fewRoundsNote(curves.flatMap(({ points }) => points.map(({ row }) => row)));
    return taskFigure("facade over distance", task, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: what the façade buys over distance`,
      alt: `Latency of ${names.join(", ")} as multiples of the façade's, from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)} ms: ${ends.join("; ")}.`,
      caption:
        `The line at 1 is the façade over the same style. Bands: 95 % intervals, which hold together over all of them, cut where they leave the picture. ${note}`.trimEnd(),
      legend: variantLegend(variants),
      draw: (widthPx) => draw(task, curves, widthPx),
    });
  },
});
