// Small multiples: side by side on a page, below each other on a phone, each with its name above.
import { text, type Markish, type PlotOptions } from "@observablehq/plot";

const sideBySideFromPx = 560;
const headPx = 22;

/** How panels of these names are laid out at a width. */
export interface Panels {
  /** Spread into the options of every mark whose data has a `panel`. */
  readonly facet: { readonly fx: "panel" } | { readonly fy: "panel" };
  /** Spread into the options of the plot. `marginTop` leaves room for the names. */
  readonly options: Pick<PlotOptions, "fx" | "fy" | "height" | "marginTop" | "marginBottom">;
  readonly names: Markish;
}

/** `panelHeightPx` is the height of one panel without its name. */
export function panels(names: readonly string[], widthPx: number, panelHeightPx: number): Panels {
  const across = widthPx >= sideBySideFromPx;
  const data = names.map((panel) => ({ panel }));
  const facet = across ? ({ fx: "panel" } as const) : ({ fy: "panel" } as const);
  const scale = { axis: null, domain: names, padding: across ? 0.08 : 0.16 };
  const marginBottom = 42;
  const rows = across ? 1 : names.length;
  return {
    facet,
    options: {
      ...(across ? { fx: scale } : { fy: scale }),
      height: rows * panelHeightPx * (across ? 1 : 1.12) + headPx + marginBottom,
      marginTop: headPx,
      marginBottom,
    },
    names: text(data, {
      ...facet,
      text: "panel",
      frameAnchor: "top-left",
      dy: -headPx + 6,
      lineAnchor: "top",
      fontWeight: 600,
    }),
  };
}
