// Panels of a plot with their axes, and curves: a line with a shape at each point, and a band around it.
import {
  axisX,
  axisY,
  gridX,
  gridY,
  text as textMark,
  areaY,
  dot,
  line,
  type Markish,
  type PlotOptions,
  type ScaleOptions,
} from "@observablehq/plot";
import { axisTicks, tickLabel } from "../basics/quantity.ts";
import { variantLooks, type LegendEntry, type VariantLook } from "./palette.ts";
import { variantLabel } from "../words/arm-label.ts";

interface AxisOptions {
  readonly label: string;
  readonly ticks: readonly number[];
  /** Formats a tick whose unit differs from the values'. */
  readonly text?: (value: number) => string;
}

const grid = { stroke: "var(--line)", strokeOpacity: 1, strokeWidth: 1 } as const;
const common = { labelArrow: "none", labelAnchor: "center", tickSize: 0 } as const;

export function valueAxisX({ label, ticks, text = tickLabel }: AxisOptions): readonly Markish[] {
  return [gridX(ticks, grid), axisX(ticks, { ...common, text, label, labelOffset: 36 })];
}

function valueAxisY({ label, ticks }: AxisOptions): readonly Markish[] {
  return [gridY(ticks, grid), axisY(ticks, { ...common, text: tickLabel, label, labelOffset: 58 })];
}

/** At most `count` round numbers from 0 to `highest`. */
export function ticksFromZero(highest: number, count: number): readonly number[] {
  return axisTicks([0, highest], count).filter((tick) => tick >= 0);
}

type ChartAxis = AxisOptions & Pick<ScaleOptions, "type" | "domain" | "inset" | "clamp">;

export function chart(layout: PlotOptions, x: ChartAxis, y: ChartAxis, marks: readonly Markish[]): PlotOptions {
  const scale = ({ label: _label, ticks: _ticks, text: _text, ...options }: ChartAxis): ScaleOptions => options;
  return {
    marginLeft: 66,
    marginRight: 28,
    ...layout,
    x: scale(x),
    y: scale(y),
    marks: [...valueAxisY(y), ...valueAxisX(x), ...marks],
  };
}

const sideBySideFromPx = 560;
const lineHeightPx = 14;
/** A generous mean width of a 12 px semi-bold letter. */
const letterWidthPx = 7.2;
/** Width of the axes and of the gaps between panels. */
const axesPx = 94;
const gapPx = 16;

/** One panel. Names may repeat; data refers to the id. */
export interface Panel {
  readonly id: string;
  readonly name: string;
}

/** The position of data with a panel: the panel's id, or its row or column. */
type Facet = "panel" | ((one: { readonly panel: string }) => number);

export interface Panels {
  /** Spread into the options of every mark whose data has a `panel` (an id). */
  readonly facet: { readonly fx?: Facet; readonly fy?: Facet };
  /** Spread into the options of the plot. `marginTop` leaves space for the names. */
  readonly options: Pick<PlotOptions, "fx" | "fy" | "height" | "marginTop" | "marginBottom">;
  readonly names: Markish;
}

function columnsFor(names: readonly string[], widthPx: number): number {
  if (widthPx < sideBySideFromPx) return 1;
  const freePx = widthPx - axesPx;
  const longestPx = Math.max(...names.map(({ length }) => length)) * letterWidthPx + gapPx;
  if (longestPx * names.length <= freePx) return names.length;
  const wordPx =
    Math.max(...names.flatMap((name) => name.split(" ")).map(({ length }) => length)) * letterWidthPx + gapPx;
  const neededPx = Math.max(wordPx, longestPx / 2 + 2 * gapPx);
  const most = Math.max(1, Math.min(names.length, Math.floor(freePx / neededPx)));
  return Math.ceil(names.length / Math.ceil(names.length / most));
}

function facetOf(ids: readonly string[], columns: number): Panels["facet"] {
  if (columns === ids.length) return { fx: "panel" };
  if (columns === 1) return { fy: "panel" };
  const indices = new Map(ids.map((id, index) => [id, index]));
  const indexOf = ({ panel }: { readonly panel: string }): number => indices.get(panel) ?? 0;
  return { fx: (one) => indexOf(one) % columns, fy: (one) => Math.floor(indexOf(one) / columns) };
}

/** Lays out one panel per id. `panelHeightPx` is the height of one panel without its name. */
export function panels(all: readonly Panel[], widthPx: number, panelHeightPx: number): Panels {
  const each = [...new Map(all.map((panel) => [panel.id, panel])).values()];
  const [ids, names] = [each.map(({ id }) => id), each.map(({ name }) => name)];
  const data = each.map(({ id, name }) => ({ panel: id, name }));
  const columns = columnsFor(names, widthPx);
  const rows = Math.ceil(names.length / columns);
  const facet = facetOf(ids, columns);
  const panelPx = (widthPx - axesPx) / columns - gapPx;
  const isWrapped = names.some(({ length }) => length * letterWidthPx > panelPx);
  const headPx = 8 + lineHeightPx * (isWrapped ? 2 : 1);
  const ofNames = (side: Facet | undefined): { readonly domain?: readonly string[] } =>
    side === "panel" ? { domain: ids } : {};
  const marginBottom = 42;
  return {
    facet,
    options: {
      ...(facet.fx === undefined ? {} : { fx: { axis: null, padding: 0.08, ...ofNames(facet.fx) } }),
      ...(facet.fy === undefined ? {} : { fy: { axis: null, padding: isWrapped ? 0.2 : 0.16, ...ofNames(facet.fy) } }),
      height: rows * panelHeightPx * (rows === 1 ? 1 : 1.12) + headPx + marginBottom,
      marginTop: headPx,
      marginBottom,
    },
    names: textMark(data, {
      ...facet,
      text: "name",
      frameAnchor: "top-left",
      dy: -headPx + 6,
      lineAnchor: "top",
      // Semi-bold letters are wider than the em used to break lines.
      lineWidth: isWrapped ? (0.88 * panelPx) / 12 : Infinity,
      fontWeight: 600,
    }),
  };
}

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
  const lookOf = variantLooks(variants);
  return inkLegend([...new Set(variants)].map((variant) => ({ label: variantLabel(variant), look: lookOf(variant) })));
}
