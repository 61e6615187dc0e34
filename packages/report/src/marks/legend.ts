// A legend above a picture: a stroke with its dash and shape, or the look of a bar, and the name, wrapped to the picture's width.
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from "d3-shape";
import type { VariantLook } from "./palette.ts";

/** Lines of at most this many letters, except for longer words. */
export function brokenLines(name: string, mostLetters: number): readonly string[] {
  return name.split(" ").reduce<readonly string[]>((lines, word) => {
    const longer = [...lines.slice(-1), word].join(" ");
    return lines.length > 0 && longer.length <= mostLetters ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}

/** The parts of an SVG element that are needed here: the library has the types of a browser. */
interface SvgNode {
  textContent: string | null;
  setAttribute(name: string, value: string): void;
  append(...children: readonly SvgNode[]): void;
}

export interface Picture extends SvgNode {
  readonly ownerDocument: { createElementNS(namespace: string, name: string): SvgNode };
}

/** How to distinguish bars without colour. */
export type BarLook = "filled" | "outlined";

/** The opacity of what fills a bar. */
export const barOpacity: Readonly<Record<BarLook, number>> = { filled: 1, outlined: 0.2 };

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly look: VariantLook | BarLook;
}

const shapes = {
  circle: symbolCircle,
  square: symbolSquare,
  triangle: symbolTriangle,
  diamond: symbolDiamond,
  star: symbolStar,
  cross: symbolCross,
} as const;

const strokeWidthPx = 26;
const besideStrokePx = strokeWidthPx + 7;
const rowHeightPx = 20;
const lineHeightPx = 14;
// A generous mean width of a 12 px letter: fonts cannot be measured here.
const letterWidthPx = 6.6;
/** Letters of a name that fills the width may be wider. */
const wideLetterPx = 7.4;

interface LaidOutEntry extends LegendEntry {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
}

function heightPx({ lines }: Pick<LaidOutEntry, "lines">): number {
  return rowHeightPx + (lines.length - 1) * lineHeightPx;
}

function layOut(entries: readonly LegendEntry[], widthPx: number): readonly LaidOutEntry[] {
  let [x, y, rowPx] = [0, 0, rowHeightPx];
  return entries.map((entry) => {
    const lines = brokenLines(entry.label, Math.floor((widthPx - besideStrokePx) / wideLetterPx));
    const width = besideStrokePx + Math.max(...lines.map(({ length }) => length)) * letterWidthPx + 16;
    if (x > 0 && x + width > widthPx) [x, y, rowPx] = [0, y + rowPx, rowHeightPx];
    const laidOut = { ...entry, lines, x, y };
    x += width;
    rowPx = Math.max(rowPx, heightPx(laidOut));
    return laidOut;
  });
}

export function legendHeightPx(entries: readonly LegendEntry[], widthPx: number): number {
  return Math.max(0, ...layOut(entries, widthPx).map((laidOut) => laidOut.y + heightPx(laidOut)));
}

type MakeElement = (name: string, attributes: Readonly<Record<string, string | number>>) => SvgNode;

/** What stands before a name. */
function keyOf(element: MakeElement, colour: string, look: LegendEntry["look"]): readonly SvgNode[] {
  if (typeof look === "string") {
    const size = { x: 1, y: -5, width: strokeWidthPx - 2, height: 10 };
    return [element("rect", { ...size, fill: colour, "fill-opacity": barOpacity[look], stroke: colour })];
  }
  return [
    element("line", { x2: strokeWidthPx, stroke: colour, "stroke-width": 2, "stroke-dasharray": look.dash }),
    element("path", {
      d: look.symbol === "none" ? "" : (symbol(shapes[look.symbol], 44)() ?? ""),
      transform: `translate(${strokeWidthPx / 2},0)`,
      fill: colour,
      stroke: "var(--paper)",
    }),
  ];
}

export function addLegend(svg: Picture, entries: readonly LegendEntry[], widthPx: number): void {
  const element: MakeElement = (name, attributes) => {
    const made = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
  };
  const group = element("g", { "text-anchor": "start" });
  for (const { lines, colour, look, x, y } of layOut(entries, widthPx)) {
    const item = element("g", { transform: `translate(${x + 1},${y + 10})` });
    const texts = lines.map((line, index) => {
      const text = element("text", { x: besideStrokePx, y: index * lineHeightPx, dy: "0.34em" });
      text.textContent = line;
      return text;
    });
    item.append(...keyOf(element, colour, look), ...texts);
    group.append(item);
  }
  svg.append(group);
}
