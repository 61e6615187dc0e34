// Box plots of a task's arms on one axis: letter values where there are enough samples, otherwise a Tukey box.
import { barX, dot, ruleY, tickX, type Markish, type PlotOptions } from "@observablehq/plot";
import type { Distribution, Summary } from "@roundtrip/analysis";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { colours } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { rows } from "../marks/rows.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";

interface LetterBox {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly figures: Summary;
  /** In milliseconds. */
  readonly outliers: readonly number[];
  readonly letters: Distribution["letterValues"];
}

/** Rings from the quartiles outward, each thinner and paler: the last letter value first, so that the box is on top. */
function rings({ id, colour, letters, figures }: LetterBox, perMs: number): readonly Markish[] {
  const outer = letters.filter(({ depth }) => depth >= 2);
  const boxes = outer.length === 0 ? [{ depth: 2, low: figures.p25, high: figures.p75 }] : outer;
  return boxes
    .toSorted((a, b) => b.depth - a.depth)
    .map(({ depth, low, high }) => {
      const inset = Math.min(13, 5 + 2 * (depth - 2));
      return barX([id], {
        y: (row: string) => row,
        x1: low * perMs,
        x2: high * perMs,
        fill: colour,
        fillOpacity: depth === 2 ? 0.9 : Math.max(0.16, 0.62 - 0.12 * (depth - 2)),
        insetTop: inset,
        insetBottom: inset,
      });
    });
}

function draw(boxes: readonly LetterBox[], widthPx: number): PlotOptions {
  const { symbol, perMs } = timeUnitFor(boxes.map(({ figures }) => figures.p50));
  const at =
    (figure: "whiskerLow" | "whiskerHigh" | "p50") =>
    ({ figures }: LetterBox): number =>
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
      ...boxes.flatMap((box) => rings(box, perMs)),
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
    const boxes = task.headline.flatMap(({ arm, latency, distribution }): readonly LetterBox[] => {
      if (latency === null) return [];
      const about = { id: arm.id, label: armLabel(task, arm, task.headline), colour: colour(arm), figures: latency };
      const { outliersDrawn = [], letterValues = [] } = distribution ?? {};
      return [{ ...about, outliers: outliersDrawn, letters: letterValues }];
    });
    if (boxes.length === 0) return null;
    const unit = timeUnitFor(boxes.map(({ figures }) => figures.p50));
    const medians = boxes.map(({ label, figures }) => `${label} ${duration(figures.p50, unit)}`).join(", ");
    const hasLetters = boxes.some(({ letters }) => letters.length > 0);
    return taskFigure("latency", task, {
      topic: "latency",
      size: "full",
      title: `${headlineLabel(task)}: latency per task`,
      alt: `Box plots on one axis. Medians in ${unit.symbol}: ${medians}.`,
      caption:
        `Box: quartiles, with the median as a gap; ${hasLetters ? "paler boxes: further letter values, each holding half of what is left outside; " : ""}` +
        "whiskers: last samples within 1.5 interquartile ranges; rings: outliers, none deleted.",
      legend: [],
      draw: (widthPx) => draw(boxes, widthPx),
    });
  },
});
