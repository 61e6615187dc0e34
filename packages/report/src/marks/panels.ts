// Small multiples: side by side on a page, in several rows when there are many, below each other on a phone, each with its name above.
import { text, type Markish, type PlotOptions } from "@observablehq/plot";

const sideBySideFromPx = 560;
const lineHeightPx = 14;
/** A generous mean width of a 12 px letter in semi-bold. */
const letterWidthPx = 7.2;
/** What axes and the gaps between panels take of the width. */
const axesPx = 94;
const gapPx = 16;

/** One panel. Two may have one name: what is drawn says by id which it is in. */
export interface Panel {
  readonly id: string;
  readonly name: string;
}

/** The position of what has a panel: by the panel's id, or by the row or column that it is in. */
type Place = "panel" | ((one: { readonly panel: string }) => number);

/** How these panels are laid out at a width. */
export interface Panels {
  /** Spread into the options of every mark whose data has a `panel`, its id. */
  readonly facet: { readonly fx?: Place; readonly fy?: Place };
  /** Spread into the options of the plot. `marginTop` leaves space for the names. */
  readonly options: Pick<PlotOptions, "fx" | "fy" | "height" | "marginTop" | "marginBottom">;
  readonly names: Markish;
}

/** As many columns as fit with names of two lines, evenly filled. */
function columnsFor(names: readonly string[], widthPx: number): number {
  if (widthPx < sideBySideFromPx) return 1;
  const freePx = widthPx - axesPx;
  const longestPx = Math.max(...names.map(({ length }) => length)) * letterWidthPx + gapPx;
  if (longestPx * names.length <= freePx) return names.length;
  // Two lines are broken between words.
  const wordPx =
    Math.max(...names.flatMap((name) => name.split(" ")).map(({ length }) => length)) * letterWidthPx + gapPx;
  const neededPx = Math.max(wordPx, longestPx / 2 + 2 * gapPx);
  const most = Math.max(1, Math.min(names.length, Math.floor(freePx / neededPx)));
  return Math.ceil(names.length / Math.ceil(names.length / most));
}

function facetOf(ids: readonly string[], columns: number): Panels["facet"] {
  if (columns === ids.length) return { fx: "panel" };
  if (columns === 1) return { fy: "panel" };
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ panel }: { readonly panel: string }): number => places.get(panel) ?? 0;
  return { fx: (one) => placeOf(one) % columns, fy: (one) => Math.floor(placeOf(one) / columns) };
}

/** Lays out as many panels as there are ids. `panelHeightPx` is the height of one panel without its name. */
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
  const ofNames = (place: Place | undefined): { readonly domain?: readonly string[] } =>
    place === "panel" ? { domain: ids } : {};
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
      text: "name",
      frameAnchor: "top-left",
      dy: -headPx + 6,
      lineAnchor: "top",
      // Semi-bold letters are wider than the em that lines are broken by.
      lineWidth: isWrapped ? (0.88 * panelPx) / 12 : Infinity,
      fontWeight: 600,
    }),
  };
}
