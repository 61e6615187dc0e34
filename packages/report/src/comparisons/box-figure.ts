// Box plots of a comparison: base above head for each arm that is shown, on one axis.
import { barX, dot, ruleY, tickX } from "@observablehq/plot";
import type { VersionComparison, VersionFigures } from "@roundtrip/analysis";
import { rows } from "../marks/rows.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { armNames } from "./cell-label.ts";
import { boxCells } from "./compared-boxes.ts";

const rowHeightPx = 26;

interface Box {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly figures: VersionFigures;
}

function boxesOf(comparison: VersionComparison): readonly Box[] {
  const name = armNames(comparison);
  return boxCells(comparison).flatMap((cell) => [
    { id: `${cell.id}, base`, label: `${name(cell)}, base`, colour: "var(--floor)", figures: cell.base },
    { id: `${cell.id}, head`, label: `${name(cell)}, head`, colour: "var(--hue-0)", figures: cell.head },
  ]);
}

function draw(boxes: readonly Box[], widthPx: number): ReturnType<ShownFigure["draw"]> {
  const unit = timeUnitFor(boxes.map(({ figures }) => figures.p50));
  const at =
    (figure: "whiskerLow" | "whiskerHigh" | "p25" | "p50" | "p75") =>
    ({ figures }: Box): number =>
      figures[figure] * unit.perMs;
  const layout = rows({
    rows: boxes,
    values: boxes.flatMap(({ figures }) => [figures.min * unit.perMs, figures.max * unit.perMs]),
    label: `${unit.symbol} per task`,
    widthPx,
    rowHeightPx,
  });
  const outliers = boxes.flatMap(({ id, colour, figures }) =>
    [...figures.outliersDrawn, figures.min, figures.max]
      .filter((value) => value < figures.whiskerLow || value > figures.whiskerHigh)
      .map((value) => ({ id, colour, value: value * unit.perMs })),
  );
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      dot(outliers, { x: "value", y: "id", r: 1.7, stroke: "colour", strokeOpacity: 0.75, strokeWidth: 1 }),
      ruleY(boxes, { y: "id", x1: at("whiskerLow"), x2: at("whiskerHigh"), stroke: "colour", strokeWidth: 1.5 }),
      barX(boxes, { y: "id", x1: at("p25"), x2: at("p75"), fill: "colour", insetTop: 5, insetBottom: 5 }),
      ...(["whiskerLow", "whiskerHigh"] as const).map((end) =>
        tickX(boxes, { y: "id", x: at(end), stroke: "colour", strokeWidth: 1.5, inset: 8 }),
      ),
      tickX(boxes, { y: "id", x: at("p50"), stroke: "var(--paper)", strokeWidth: 2.5, inset: 5 }),
    ],
  };
}

/** None without a latency. */
export function boxFigure(comparison: VersionComparison): readonly ShownFigure[] {
  const boxes = boxesOf(comparison);
  if (boxes.length === 0) return [];
  const unit = timeUnitFor(boxes.map(({ figures }) => figures.p50));
  const medians = boxes.map(({ label, figures }) => `${label} ${duration(figures.p50, unit)}`);
  return [
    {
      name: "comparison-boxes",
      study: null,
      task: null,
      topic: "latency",
      size: "full",
      title: `Latency per task of ${comparison.base.label} and ${comparison.head.label}`,
      alt: `Box plots on one axis. Medians in ${unit.symbol}: ${medians.join("; ")}.`,
      caption:
        "Box: quartiles, with the median as a gap; whiskers: last samples within 1.5 interquartile ranges; rings: outliers.",
      legend: [],
      footnote: "",
      draw: (widthPx) => draw(boxes, widthPx),
    },
  ];
}
