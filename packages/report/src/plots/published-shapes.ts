// Measured and published curves where the sweep's first value is 1: machines differ by decades, shapes can be compared.
import { dot, line } from "@observablehq/plot";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels } from "../marks/panels.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { number } from "../basics/quantity.ts";
import { headlinePart } from "../words/arm-label.ts";
import type { PublishedFigures, ReportInput } from "../view/report-input.ts";
import { isDistance, viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { publishedSeriesOf, seriesOf } from "../rows/series.ts";
import { valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 260;
const sourceLook: VariantLook = { dash: "7 4", symbol: "cross" };
const symbols: readonly VariantLook["symbol"][] = ["circle", "square", "triangle", "diamond", "star"];

interface Shape {
  /** Of what is called so in the legend. */
  readonly id: string;
  readonly label: string;
  readonly variant: string;
  readonly colour: string;
  readonly look: VariantLook;
  readonly points: readonly { readonly at: number; readonly growth: number; readonly panel: string }[];
}

/** Null when the first value is missing, because everything is divided by it. */
function shapeOf(
  common: Omit<Shape, "points">,
  means: readonly { readonly at: number; readonly mean: number }[],
  first: number,
): readonly Shape[] {
  const base = means.find(({ at }) => at === first)?.mean;
  if (base === undefined) return [];
  const panel = variantLabel(common.variant);
  return [{ ...common, points: means.map(({ at, mean }) => ({ at, growth: mean / base, panel })) }];
}

function shapesOf(task: TaskView, published: readonly PublishedFigures[], input: ReportInput): readonly Shape[] {
  const colour = colours(input.analysis);
  const first = task.sweepValues[0] ?? 0;
  const beside = publishedSeriesOf(task, published).flatMap((one) =>
    shapeOf(
      { id: one.name, label: one.name, variant: one.variant, colour: "var(--source)", look: sourceLook },
      one.points.map(({ at, meanMs }) => ({ at, mean: meanMs })),
      first,
    ),
  );
  const variants = new Set(beside.map(({ variant }) => variant));
  const series = seriesOf(task).filter(
    ({ variant, points }) => variants.has(variant) && points.every(({ view }) => view.arm.role === "style"),
  );
  const ids = [...new Set(series.map(({ id }) => id))];
  const measured = series.flatMap(({ arm, id, title, variant, points }) =>
    shapeOf(
      {
        id,
        label: title,
        variant,
        colour: colour(arm),
        look: { dash: "none", symbol: symbols[ids.indexOf(id) % symbols.length] ?? "circle" },
      },
      points.flatMap(({ at, view: { latency } }) => (latency === null ? [] : [{ at, mean: latency.mean }])),
      first,
    ),
  );
  // The source first, so that what was measured lies on top.
  return [...beside, ...measured];
}

function draw(task: TaskView, shapes: readonly Shape[], widthPx: number): ReturnType<Figure["draw"]> {
  const ways = shapes.map(({ variant }) => variantLabel(variant));
  const layout = panels(
    ways.map((way) => ({ id: way, name: way })),
    widthPx,
    panelHeightPx,
  );
  const highest = Math.max(...shapes.flatMap(({ points }) => points.map(({ growth }) => growth)));
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { inset: 10 },
    y: { domain: [0, highest * 1.04] },
    marks: [
      ...valueAxisY({
        label: `times the latency at ${task.sweepValues[0]}`,
        ticks: valueScale([0, highest])
          .ticks(6)
          .filter((tick) => tick >= 0),
      }),
      ...valueAxisX({ label: factorLabel(task.sweep ?? ""), ticks: task.sweepValues }),
      layout.names,
      ...shapes.flatMap(({ colour, look, points }) => [
        line(points, {
          ...layout.facet,
          x: "at",
          y: "growth",
          stroke: colour,
          strokeWidth: look === sourceLook ? 3 : 1.75,
          strokeDasharray: look.dash,
        }),
        dot(points, {
          ...layout.facet,
          x: "at",
          y: "growth",
          fill: colour,
          stroke: "var(--paper)",
          symbol: look.symbol,
          r: 4,
        }),
      ]),
    ],
  };
}

function figure(task: TaskView, published: readonly PublishedFigures[], input: ReportInput): readonly Figure[] {
  const shapes = shapesOf(task, published, input);
  if (shapes.length === 0) return [];
  const legend = new Map(
    shapes.map(({ id, label, colour, look }): [string, LegendEntry] => [id, { label, colour, look }]),
  );
  const last = task.sweepValues.at(-1);
  const ends = shapes.map(
    ({ label, variant, points }) =>
      `${label} ${variantLabel(variant)} ${number(points.find(({ at }) => at === last)?.growth ?? Number.NaN)}`,
  );
  return [
    {
      name: slug(`shape ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "shape",
      size: "full",
      title: `${taskLabel(task)}: growth beside ${published.map(({ name }) => name).join(", ")}`,
      alt: `Latency at ${headlinePart(task)} as a multiple of that at ${task.sweepValues[0]}: ${ends.join(", ")}.`,
      caption: "Each curve is divided by its own first value, so that shapes can be compared across machines.",
      legend: [...legend.values()],
      draw: (widthPx) => draw(task, shapes, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "published-shapes",
  order: 6,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks, published }) =>
      tasks.filter((task) => !isDistance(task)).flatMap((task) => figure(task, published, input)),
    ),
};
