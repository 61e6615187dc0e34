// The first call of a fresh client to a fresh server beside the calls that follow it.
import { dot, ruleY, type PlotOptions } from "@observablehq/plot";
import { inkLegend } from "../marks/curve.ts";
import { rows } from "../marks/rows.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { generatorsText } from "../words/environment-text.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { firstCallArms } from "../rows/first-call-arms.ts";

const firstLook: VariantLook = { dash: "none", symbol: "circle" };
const laterLook: VariantLook = { dash: "0 99", symbol: "diamond" };

interface Start {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly firstMs: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly laterMs: number;
}

function startsOf(input: ReportInput): readonly Start[] {
  const colour = colours(input.analysis);
  return firstCallArms(input).flatMap(({ label, view: { arm, cost, latency } }): readonly Start[] => {
    const first = cost.firstCallMs;
    if (first === undefined || latency === null) return [];
    const { p50: firstMs, min: lowMs, max: highMs } = first;
    return [{ id: arm.id, label, colour: colour(arm), firstMs, lowMs, highMs, laterMs: latency.p50 }];
  });
}

function draw(starts: readonly Start[], widthPx: number): PlotOptions {
  const { symbol, perMs } = timeUnitFor(starts.map(({ firstMs }) => firstMs));
  const points = starts.map(({ id, colour, firstMs, lowMs, highMs, laterMs }) => {
    const [first, low, high, later] = [firstMs * perMs, lowMs * perMs, highMs * perMs, laterMs * perMs];
    return { id, colour, first, low, high, later };
  });
  const layout = rows({
    rows: starts,
    values: points.flatMap(({ low, high, later }) => [low, high, later]),
    label: symbol,
    widthPx,
    rowHeightPx: 26,
  });
  const mark = { y: "id", fill: "colour", stroke: "var(--paper)", r: 5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      ruleY(points, { y: "id", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
      dot(points, { ...mark, x: "first", symbol: firstLook.symbol }),
      dot(points, { ...mark, x: "later", symbol: laterLook.symbol }),
    ],
  };
}

function figures(input: ReportInput): readonly Figure[] {
  const starts = startsOf(input);
  // Later calls of another generator come from another client, so they are not comparable with first calls.
  if (starts.length === 0 || generatorsText(input.facts.environment) !== undefined) return [];
  const unit = timeUnitFor(starts.map(({ firstMs }) => firstMs));
  return [
    {
      name: "first-call",
      study: null,
      task: null,
      topic: "first-call",
      size: "full",
      title: "The first call and later ones",
      alt: `Medians of the first call in ${unit.symbol}: ${starts.map(({ label, firstMs }) => `${label} ${duration(firstMs, unit)}`).join("; ")}.`,
      caption:
        "One fresh client and server per round; the studies of a run take its first call in turn. Lines reach from the lowest to the highest start: they are no intervals.",
      legend: inkLegend([
        { label: "first call: median and range", look: firstLook },
        { label: "later calls: median", look: laterLook },
      ]),
      draw: (widthPx) => draw(starts, widthPx),
    },
  ];
}

export const plot: Plot = { name: "first-call", order: 50, figures };
