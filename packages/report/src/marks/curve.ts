// A curve: a line with a shape at each point, and a band around it.
import { areaY, dot, line, type Markish } from "@observablehq/plot";
import { variantLabel } from "../words/arm-label.ts";
import type { LegendEntry } from "./legend.ts";
import { variantLook, type VariantLook } from "./palette.ts";
import type { Panels } from "./panels.ts";

/** A point of a curve: `panel` where the picture has several, `low` and `high` where the curve has a band. */
export interface CurvePoint {
  readonly panel?: string;
  readonly at: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

interface Pen {
  readonly colour: string;
  readonly look: VariantLook;
  readonly strokePx: number;
  readonly pointPx: number;
  readonly facet?: Panels["facet"];
  /** Opacity of the band; no band if absent. */
  readonly band?: number;
}

/** Looks of curves that differ in more than their variant. */
export const curveLooks: readonly VariantLook[] = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
];

/** @param marked the points that have a shape; by default all */
export function curveMarks(
  points: readonly CurvePoint[],
  { colour, look, strokePx, pointPx, facet, band }: Pen,
  marked: readonly CurvePoint[] = points,
): readonly Markish[] {
  const position = { ...facet, x: "at", y: "y" } as const;
  const { dash, symbol } = look;
  return [
    ...(band === undefined
      ? []
      : [areaY(points, { ...facet, x: "at", y1: "low", y2: "high", fill: colour, fillOpacity: band })]),
    line(points, { ...position, stroke: colour, strokeWidth: strokePx, strokeDasharray: dash }),
    ...(symbol === "none"
      ? []
      : [dot(marked, { ...position, fill: colour, stroke: "var(--paper)", symbol, r: pointPx })]),
  ];
}

/** A legend of looks that apply to every colour. */
export function inkLegend(
  entries: readonly { readonly label: string; readonly look: VariantLook }[],
): readonly LegendEntry[] {
  return entries.map(({ label, look }) => ({ label, colour: "var(--ink)", look }));
}

export function variantLegend(variants: readonly string[]): readonly LegendEntry[] {
  return inkLegend([...new Set(variants)].map((one) => ({ label: variantLabel(one), look: variantLook(one) })));
}
