// Small multiples: side by side on a page, in several rows when there are many, below each other on a phone, each with its name above.
import { text, type Markish, type PlotOptions } from "@observablehq/plot";

const sideBySideFromPx = 560;
const lineHeightPx = 14;
/** A generous mean width of a 12 px letter in semi-bold. */
const letterWidthPx = 7.2;
/** What axes and the gaps between panels take of the width. */
const axesPx = 94;
const gapPx = 16;

/** Tells the place of what has a panel: by its name, or by the row or column that the panel is in. */
type Place = "panel" | ((one: { readonly panel: string }) => number);

/** How panels of these names are laid out at a width. */
export interface Panels {
  /** Spread into the options of every mark whose data has a `panel`. */
  readonly facet: { readonly fx?: Place; readonly fy?: Place };
  /** Spread into the options of the plot. `marginTop` leaves room for the names. */
  readonly options: Pick<PlotOptions, "fx" | "fy" | "height" | "marginTop" | "marginBottom">;
  readonly names: Markish;
}

/** As many columns as have room for names of two lines, evenly filled. */
function columnsFor(names: readonly string[], widthPx: number): number {
  if (widthPx < sideBySideFromPx) return 1;
  const roomPx = widthPx - axesPx;
  const longestPx = Math.max(...names.map(({ length }) => length)) * letterWidthPx + gapPx;
  if (longestPx * names.length <= roomPx) return names.length;
  // Two lines are broken between words.
  const wordPx =
    Math.max(...names.flatMap((name) => name.split(" ")).map(({ length }) => length)) * letterWidthPx + gapPx;
  const neededPx = Math.max(wordPx, longestPx / 2 + 2 * gapPx);
  const most = Math.max(1, Math.min(names.length, Math.floor(roomPx / neededPx)));
  return Math.ceil(names.length / Math.ceil(names.length / most));
}

function facetOf(names: readonly string[], columns: number): Panels["facet"] {
  if (columns === names.length) return { fx: "panel" };
  if (columns === 1) return { fy: "panel" };
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = ({ panel }: { readonly panel: string }): number => places.get(panel) ?? 0;
  return { fx: (one) => placeOf(one) % columns, fy: (one) => Math.floor(placeOf(one) / columns) };
}

/** `panelHeightPx` is the height of one panel without its name. */
export function panels(names: readonly string[], widthPx: number, panelHeightPx: number): Panels {
  const data = names.map((panel) => ({ panel }));
  const columns = columnsFor(names, widthPx);
  const rows = Math.ceil(names.length / columns);
  const facet = facetOf(names, columns);
  const panelPx = (widthPx - axesPx) / columns - gapPx;
  const isWrapped = names.some(({ length }) => length * letterWidthPx > panelPx);
  const headPx = 8 + lineHeightPx * (isWrapped ? 2 : 1);
  const ofNames = (place: Place | undefined): { readonly domain?: readonly string[] } =>
    place === "panel" ? { domain: names } : {};
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
    names: text(data, {
      ...facet,
      text: "panel",
      frameAnchor: "top-left",
      dy: -headPx + 6,
      lineAnchor: "top",
      // Semi-bold letters are wider than the em that lines are broken by.
      lineWidth: isWrapped ? (0.88 * panelPx) / 12 : Infinity,
      fontWeight: 600,
    }),
  };
}
