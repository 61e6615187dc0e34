// Turns figures into SVG text, without a browser: each with a title and a description for those who cannot see it.
import { plot as drawPlot, type PlotOptions } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { addFootnote, footnoteHeightPx } from "./footnote.ts";
import { addLegend, legendHeightPx } from "./legend.ts";
import { themeFor } from "./palette.ts";
import type { ShownFigure } from "./plot.ts";
import { escapeXml, legalXml } from "../basics/xml-text.ts";

/** A figure as a file of its own. */
export interface RenderedPlot {
  readonly name: string;
  readonly title: string;
  readonly alt: string;
  /** A whole SVG document, for light and dark. */
  readonly svg: string;
}

const standaloneWidthPx = 760;

const house: PlotOptions = {
  style: {
    color: "var(--ink)",
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    fontSize: "12px",
  },
  color: { type: "identity" },
  marginLeft: 56,
};

// Hundredths of a pixel are seen by nobody and would be a third of the file.
const rounded = (markup: string): string =>
  markup.replaceAll(/<[a-z][^>]*>/g, (tag) => tag.replaceAll(/(\.\d\d)\d+/g, "$1"));

/** One figure at a width, as an `<svg>` element whose colours are custom properties of the page around it. `id` is unique in that page. */
export function drawFigure(figure: ShownFigure, widthPx: number, id: string): string {
  const footnotePx = footnoteHeightPx(figure.footnote, widthPx);
  const { document } = parseHTML("<html></html>");
  const options = { ...house, ...figure.draw(widthPx) };
  const legendPx = legendHeightPx(figure.legend, widthPx);
  const heightPx = (options.height ?? 240) + legendPx + footnotePx;
  const svg = drawPlot({
    ...options,
    height: heightPx,
    marginBottom: (options.marginBottom ?? 30) + footnotePx,
    marginTop: (options.marginTop ?? 20) + legendPx,
    width: widthPx,
    document,
    figure: false,
  });
  addLegend(svg, figure.legend, widthPx);
  addFootnote(svg, figure.footnote, { widthPx, heightPx });
  // The picture is one image with one description: labels of its parts are not allowed and not read.
  for (const part of svg.querySelectorAll("[aria-label],[aria-hidden]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-hidden");
  }
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-labelledby", `${id}-title ${id}-desc`);
  const words = `<title id="${id}-title">${escapeXml(figure.title)}</title><desc id="${id}-desc">${escapeXml([figure.alt, figure.footnote].join(" ").trim())}</desc>`;
  return legalXml(rounded(svg.outerHTML).replace(/>/, () => `>${words}`));
}

function ownTheme(svg: string): string {
  return (
    `<style>:root{color-scheme:light dark;${themeFor(svg, "light")};background:var(--paper)}` +
    `@media (prefers-color-scheme:dark){:root{${themeFor(svg, "dark")}}}</style>`
  );
}

/** A figure as a file of its own. */
export function renderFigure(figure: ShownFigure): RenderedPlot {
  const svg = drawFigure(figure, standaloneWidthPx, figure.name);
  return {
    name: figure.name,
    title: figure.title,
    alt: figure.alt,
    svg: `${svg.replace("</desc>", () => `</desc>${ownTheme(svg)}`)}\n`,
  };
}
