// Measured and published curves as multiples of the sweep's first value: machines differ by decades, but shapes are comparable.
import type { PlotOptions } from "@observablehq/plot";
import { factorLabel, headlinePart, taskLabel, variantLabel } from "../words/arm-label.ts";
import { chart, panels, ticksFromZero, curveMarks, type CurvePoint } from "../marks/panels.ts";
import { colours, type LegendEntry, type VariantLook } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { number } from "../basics/quantity.ts";
import type { PublishedFigures } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { isDistance, type TaskView } from "../view/run-view.ts";
import { publishedSeriesOf, seriesOf } from "../rows/series.ts";

const panelHeightPx = 260;
const sourceLook: VariantLook = { dash: "7 4", symbol: "cross" };
const symbols: readonly VariantLook["symbol"][] = ["circle", "square", "triangle", "diamond", "star"];

interface Shape extends LegendEntry {
  readonly look: VariantLook;
  /** Equal for shapes that share a line of the legend. */
  readonly id: string;
  readonly variant: string;
  readonly points: readonly CurvePoint[];
}

function shapeOf(
  common: Omit<Shape, "points">,
  means: readonly { readonly at: number; readonly mean: number }[],
  first: number,
): readonly Shape[] {
  const base = means.find(({ at }) => at === first)?.mean;
  if (base === undefined) return [];
  const panel = variantLabel(common.variant);
  return [{ ...common, points: means.map(({ at, mean }) => ({ at, y: mean / base, panel })) }];
}

function shapesOf(task: TaskView, published: readonly PublishedFigures[], input: ReportInput): readonly Shape[] {
  const colour = colours(input.analysis);
  const first = task.sweepValues[0] ?? 0;
  const beside = publishedSeriesOf(task, published).flatMap(({ name, variant, points }) =>
    shapeOf(
      { id: name, label: name, variant, colour: "var(--source)", look: sourceLook },
      points.map(({ at, meanMs }) => ({ at, mean: meanMs })),
      first,
    ),
  );
  const variants = new Set(beside.map(({ variant }) => variant));
  const series = seriesOf(task).filter(
    ({ variant, points }) => variants.has(variant) && points.every(({ view }) => view.arm.role === "style"),
  );
  const ids = [...new Set(series.map(({ id }) => id))];
  const measured = series.flatMap(({ arm, id, title, variant, points }) => {
    const look: VariantLook = { dash: "none", symbol: symbols[ids.indexOf(id) % symbols.length] ?? "circle" };
    return shapeOf(
      { id, label: title, variant, colour: colour(arm), look },
      points.flatMap(({ at, view: { latency } }) => (latency === null ? [] : [{ at, mean: latency.mean }])),
      first,
    );
  });
  // The source first, so that measured curves are drawn on top.
  return [...beside, ...measured];
}

function draw({ sweep, sweepValues }: TaskView, shapes: readonly Shape[], widthPx: number): PlotOptions {
  const names = shapes.map(({ variant }) => variantLabel(variant));
  const all = names.map((name) => ({ id: name, name }));
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
  const highest = Math.max(...shapes.flatMap(({ points }) => points.map(({ y }) => y)));
  return chart(
    layout.options,
    { inset: 10, label: factorLabel(sweep ?? ""), ticks: sweepValues },
    { domain: [0, highest * 1.04], label: `times the latency at ${sweepValues[0]}`, ticks: ticksFromZero(highest, 6) },
    [
      layout.names,
      ...shapes.flatMap(({ colour, look, points }) =>
        curveMarks(points, { colour, look, strokePx: look === sourceLook ? 3 : 1.75, pointPx: 4, facet }),
      ),
    ],
  );
}

export const plot = taskPlot({
  name: "published-shapes",
  order: 6,
  figure(task, input, published) {
    const shapes = isDistance(task) ? [] : shapesOf(task, published, input);
    if (shapes.length === 0) return null;
    const last = task.sweepValues.at(-1);
    const ends = shapes.map(
      ({ label, variant, points }) =>
        `${label} ${variantLabel(variant)} ${number(points.find(({ at }) => at === last)?.y ?? Number.NaN)}`,
    );
    return taskFigure("shape", task, {
      topic: "shape",
      size: "full",
      title: `${taskLabel(task)}: growth beside ${published.map(({ name }) => name).join(", ")}`,
      alt: `Latency at ${headlinePart(task)} as a multiple of that at ${task.sweepValues[0]}: ${ends.join(", ")}.`,
      caption: "Each curve is divided by its own first value, so that shapes can be compared across machines.",
      legend: [...new Map(shapes.map(({ id, label, colour, look }) => [id, { label, colour, look }])).values()],
      draw: (widthPx) => draw(task, shapes, widthPx),
    });
  },
});
