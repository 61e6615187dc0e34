// Box plots of a task's arms on one axis.
import { barX, dot, ruleY, tickX, type PlotOptions } from "@observablehq/plot";
import type { Summary } from "@roundtrip/analysis";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { colours } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { rows } from "../marks/rows.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";

interface Box {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly figures: Summary;
  /** In milliseconds. */
  readonly outliers: readonly number[];
}

function draw(boxes: readonly Box[], widthPx: number): PlotOptions {
  const { symbol, perMs } = timeUnitFor(boxes.map(({ figures }) => figures.p50));
  const at =
    (figure: "whiskerLow" | "p25" | "p50" | "p75" | "whiskerHigh") =>
    ({ figures }: Box): number =>
      figures[figure] * perMs;
  const layout = rows({
    rows: boxes,
    values: boxes.flatMap(({ figures }) => [figures.min * perMs, figures.max * perMs]),
    label: `${symbol} per task`,
    widthPx,
    rowHeightPx: 34,
  });
  const outliers = boxes.flatMap(({ id, colour, outliers: ms }) =>
    ms.map((outlierMs) => ({ id, colour, value: outlierMs * perMs })),
  );
  const stroke = { y: "id", stroke: "colour", strokeWidth: 1.5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      dot(outliers, { x: "value", y: "id", r: 1.7, stroke: "colour", strokeOpacity: 0.75, strokeWidth: 1 }),
      ruleY(boxes, { ...stroke, x1: at("whiskerLow"), x2: at("whiskerHigh") }),
      barX(boxes, {
        y: "id",
        x1: at("p25"),
        x2: at("p75"),
        fill: "colour",
        fillOpacity: 0.9,
        insetTop: 5,
        insetBottom: 5,
      }),
      ...(["whiskerLow", "whiskerHigh"] as const).map((end) => tickX(boxes, { ...stroke, x: at(end), inset: 11 })),
      tickX(boxes, { y: "id", x: at("p50"), stroke: "var(--paper)", strokeWidth: 2.5, inset: 5 }),
    ],
  };
}

export const plot = taskPlot({
  name: "latency-boxes",
  order: 10,
  figure(task, { analysis }) {
    const colour = colours(analysis);
    const boxes = task.headline.flatMap(({ arm, latency, distribution }): readonly Box[] => {
      if (latency === null) return [];
      const about = { id: arm.id, label: armLabel(task, arm, task.headline), colour: colour(arm), figures: latency };
      return [{ ...about, outliers: distribution?.outliersDrawn ?? [] }];
    });
    if (boxes.length === 0) return null;
    const unit = timeUnitFor(boxes.map(({ figures }) => figures.p50));
    const medians = boxes.map(({ label, figures }) => `${label} ${duration(figures.p50, unit)}`).join(", ");
    return taskFigure("latency", task, {
      topic: "latency",
      title: `${headlineLabel(task)}: latency per task`,
      alt: `Box plots on one axis. Medians in ${unit.symbol}: ${medians}.`,
      caption:
        "Box: quartiles, with the median as a gap; whiskers: last samples within 1.5 interquartile ranges; rings: outliers, none deleted.",
      legend: [],
      draw: (widthPx) => draw(boxes, widthPx),
    });
  },
});
