// Box plots of a comparison: base above head for each shown arm, on one axis.
import { barX } from "@observablehq/plot";
import type { VersionComparison, VersionFigures } from "@roundtrip/analysis";
import { boxChart, type Box } from "../marks/boxes.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { armNames } from "./cell-label.ts";
import { boxCells } from "./compared-boxes.ts";

function outliersOf({ outliersDrawn, min, max, whiskerLow, whiskerHigh }: VersionFigures): readonly number[] {
  return [...outliersDrawn, min, max].filter((value) => value < whiskerLow || value > whiskerHigh);
}

function boxesOf(comparison: VersionComparison): readonly Box[] {
  const name = armNames(comparison);
  return boxCells(comparison).flatMap((cell) =>
    (["base", "head"] as const).map((side) => ({
      id: `${cell.id}, ${side}`,
      label: `${name(cell)}, ${side}`,
      colour: side === "base" ? "var(--floor)" : "var(--hue-0)",
      figures: cell[side],
      outliers: outliersOf(cell[side]),
    })),
  );
}

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
      draw: (widthPx) =>
        boxChart(boxes, {
          widthPx,
          rowHeightPx: 26,
          whiskerInsetPx: 8,
          bars: ({ id, colour, figures: { p25, p75 } }, perMs) => [
            barX([id], {
              y: (row: string) => row,
              x1: p25 * perMs,
              x2: p75 * perMs,
              fill: colour,
              insetTop: 5,
              insetBottom: 5,
            }),
          ],
        }),
    },
  ];
}
