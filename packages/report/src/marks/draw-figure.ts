// Renders figures as SVG text without a browser, each with a title and a description for readers who cannot see it.
import { plot as drawPlot, type PlotOptions } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { addLegend, legendHeightPx, themes, type Picture } from "./palette.ts";
import type { ShownFigure } from "./plot.ts";
import { wrap } from "../text/text-table.ts";

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Replaces control characters and lone surrogates, which XML does not allow even when escaped. */
export function legalXml(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}/gu, "\uFFFD");
}

const lineHeightPx = 15;
// A generous mean width of an 11 px letter: fonts cannot be measured here.
const letterWidthPx = 6;

function linesOf(text: string, widthPx: number): readonly string[] {
  return text === "" ? [] : wrap(text, Math.floor(widthPx / letterWidthPx));
}

function footnoteHeightPx(text: string, widthPx: number): number {
  return linesOf(text, widthPx).length * lineHeightPx;
}

function addFootnote(svg: Picture, text: string, { widthPx, heightPx }: { widthPx: number; heightPx: number }): void {
  const lines = linesOf(text, widthPx);
  lines.forEach((line, index) => {
    const element = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "text");
    element.setAttribute("x", "1");
    element.setAttribute("y", String(heightPx - (lines.length - index - 1) * lineHeightPx - 5));
    element.setAttribute("text-anchor", "start");
    element.setAttribute("font-size", "11");
    element.setAttribute("fill", "var(--quiet)");
    element.textContent = line;
    svg.append(element);
  });
}

export interface RenderedPlot {
  readonly name: string;
  readonly title: string;
  readonly alt: string;
  /** A whole SVG document, for light and dark themes. */
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

// Hundredths of a pixel are invisible and would be a third of the file.
const rounded = (markup: string): string =>
  markup.replaceAll(/<[a-z][^>]*>/g, (tag) => tag.replaceAll(/(\.\d\d)\d+/g, "$1"));

/** Draws one figure at a width, as an `<svg>` element whose colours are custom properties of its page. `id` must be unique in that page. */
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

const ownTheme =
  `<style>:root{color-scheme:light dark;${themes.light};background:var(--paper)}` +
  `@media (prefers-color-scheme:dark){:root{${themes.dark}}}</style>`;

export function renderFigure(figure: ShownFigure): RenderedPlot {
  const svg = drawFigure(figure, standaloneWidthPx, figure.name);
  return {
    name: figure.name,
    title: figure.title,
    alt: figure.alt,
    svg: `${svg.replace("</desc>", () => `</desc>${ownTheme}`)}\n`,
  };
}
