// The look of stacks and variants in every picture, a colour per style, a dash and a shape per variant, and the legend that explains it.
import type { Analysis } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from "d3-shape";

// After Okabe and Ito (2008), adjusted to a contrast of at least 3:1 against the background.
const lightHues = ["#0072b2", "#c8501e", "#00805f", "#a8488c", "#8a6d00", "#3f4fb5", "#7a3b1e", "#4d7a00"];
const darkHues = ["#5bb4ea", "#f2915c", "#3cc79b", "#e79ac6", "#e2c044", "#9aa8ff", "#d9a184", "#a9d65c"];

function named(hues: readonly string[]): string {
  return hues.map((hue, index) => `--hue-${index}:${hue}`).join(";");
}

/** Custom properties of both themes, as the declarations of a rule. */
export const themes = {
  light: `--paper:#fff;--ink:#1b1f24;--quiet:#5a6470;--line:#d5dae0;--faint:#eef1f4;--floor:#6b7480;--source:#6b7480;${named(lightHues)}`,
  dark: `--paper:#14171b;--ink:#e8eaed;--quiet:#a4adb8;--line:#3a424c;--faint:#20252b;--floor:#98a2ae;--source:#98a2ae;${named(darkHues)}`,
} as const;

/** A number from 0 to 7 for a name: the first styles get different ones. */
function preferredHue(style: string): number {
  let hash = 0;
  for (const character of style) hash = (Math.imul(hash, 48_119) + character.charCodeAt(0)) >>> 0;
  return hash >>> 29;
}

/** The index of each name: its own, or the next free one if an earlier name has that. */
function indices(
  names: readonly string[],
  preferred: (name: string) => number,
  count: number,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const name of names) {
    const taken = new Set(found.values());
    const free = Array.from({ length: count }, (_, step) => (preferred(name) + step) % count).find(
      (index) => !taken.has(index),
    );
    found.set(name, free ?? preferred(name));
  }
  return found;
}

/** The colour of each style, the same in every picture and every run. Rows, panels and shapes name the stacks. Floor arms are grey. */
export function colours({ arms }: Pick<Analysis, "arms">): (arm: Arm) => string {
  const measured = arms.filter(({ role }) => role === "style");
  const styles = [...new Set(measured.map(({ style }) => style))].toSorted();
  const hues = indices(styles, preferredHue, lightHues.length);
  return ({ role, style }) => (role === "style" ? `var(--hue-${hues.get(style) ?? 0})` : "var(--floor)");
}

/** How to distinguish lines without colour: by dash, and by the shape of points (`none` without points). */
export interface VariantLook {
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "none";
}

const looks: readonly VariantLook[] = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
  { dash: "14 4", symbol: "star" },
  { dash: "1 4", symbol: "cross" },
];

/** The names of each look: no picture has two of a row. */
const namesOfLooks: readonly (readonly string[])[] = [
  ["facade", "single", "stream"],
  ["chatty", "fine", "pages", "at-once"],
  ["chatty-parallel", "fine-parallel", "after-pause"],
  ["together", "batched", "batched-10"],
  ["whole", "listed", "masked", "batched-50"],
  ["query", "selected"],
];

function preferredLook(variant: string): number {
  return namesOfLooks.findIndex((names) => names.includes(variant));
}

/** The dash and shape of each variant of a picture: the same in every picture, except for other names than studies here have. */
export function variantLooks(variants: Iterable<string>): (variant: string) => VariantLook {
  const [known, unknown] = [true, false].map((isKnown) =>
    [...new Set(variants)].filter((variant) => preferredLook(variant) >= 0 === isKnown),
  );
  const found = indices(
    [...(known ?? []), ...(unknown ?? [])],
    (name) => Math.max(0, preferredLook(name)),
    looks.length,
  );
  return (variant) => looks[found.get(variant) ?? 0] as VariantLook;
}

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
