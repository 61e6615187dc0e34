// A legend above a picture: a stroke with its dash and shape, and the name, wrapped to the picture's width.
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from "d3-shape";
import type { VariantLook } from "../palette.ts";

/** As much of an SVG element as is needed here: the library's own types are those of a browser. */
interface SvgNode {
  textContent: string | null;
  setAttribute(name: string, value: string): void;
  append(...children: readonly SvgNode[]): void;
}

/** The picture itself, with the document that makes its parts. */
export interface Picture extends SvgNode {
  readonly ownerDocument: { createElementNS(namespace: string, name: string): SvgNode };
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly look: VariantLook;
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
const rowHeightPx = 20;
// A generous mean width of a 12 px letter: there is no font to measure here.
const letterWidthPx = 6.6;

interface Placed extends LegendEntry {
  readonly x: number;
  readonly y: number;
}

function place(entries: readonly LegendEntry[], widthPx: number): readonly Placed[] {
  let [x, y] = [0, 0];
  return entries.map((entry) => {
    const width = strokeWidthPx + 7 + entry.label.length * letterWidthPx + 16;
    if (x > 0 && x + width > widthPx) [x, y] = [0, y + rowHeightPx];
    const placed = { ...entry, x, y };
    x += width;
    return placed;
  });
}

/** The height to leave above a picture of this width. */
export function legendHeightPx(entries: readonly LegendEntry[], widthPx: number): number {
  return (place(entries, widthPx).at(-1)?.y ?? -rowHeightPx) + rowHeightPx;
}

/** Puts the legend at the very top of a picture that left room for it. */
export function addLegend(svg: Picture, entries: readonly LegendEntry[], widthPx: number): void {
  const element = (name: string, attributes: Readonly<Record<string, string | number>>): SvgNode => {
    const made = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
  };
  const group = element("g", { "text-anchor": "start" });
  for (const { label, colour, look, x, y } of place(entries, widthPx)) {
    const item = element("g", { transform: `translate(${x + 1},${y + 10})` });
    const text = element("text", { x: strokeWidthPx + 7, dy: "0.34em" });
    text.textContent = label;
    item.append(
      element("line", { x2: strokeWidthPx, stroke: colour, "stroke-width": 2, "stroke-dasharray": look.dash }),
      element("path", {
        d: look.symbol === "none" ? "" : (symbol(shapes[look.symbol], 44)() ?? ""),
        transform: `translate(${strokeWidthPx / 2},0)`,
        fill: colour,
        stroke: "var(--paper)",
      }),
      text,
    );
    group.append(item);
  }
  svg.append(group);
}
