// A legend above a picture: a stroke with its dash and shape, and the name, wrapped to the picture's width.
import type { RenderFunction } from "@observablehq/plot";
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from "d3-shape";
import type { VariantLook } from "../palette.ts";

/** As much of an SVG element as is needed here: the library's own types are those of a browser. */
interface SvgNode {
  textContent: string | null;
  setAttribute(name: string, value: string): void;
  append(...children: readonly SvgNode[]): void;
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

/** Draws the legend at the very top of the picture. */
export function legend(entries: readonly LegendEntry[]): RenderFunction {
  return (_index, _scales, _values, dimensions, context) => {
    const { document } = context;
    const element = (name: string, attributes: Readonly<Record<string, string | number>>): SvgNode => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name) as SvgNode;
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
      return made;
    };
    const group = element("g", { "aria-hidden": "true", "text-anchor": "start" });
    for (const { label, colour, look, x, y } of place(entries, dimensions.width)) {
      const item = element("g", { transform: `translate(${x + 1},${y + 10})` });
      item.append(
        element("line", { x2: strokeWidthPx, stroke: colour, "stroke-width": 2, "stroke-dasharray": look.dash }),
        element("path", {
          d: symbol(shapes[look.symbol], 44)() ?? "",
          transform: `translate(${strokeWidthPx / 2},0)`,
          fill: colour,
          stroke: "var(--paper)",
        }),
      );
      const text = element("text", { x: strokeWidthPx + 7, dy: "0.34em" });
      text.textContent = label;
      item.append(text);
      group.append(item);
    }
    return group;
  };
}
