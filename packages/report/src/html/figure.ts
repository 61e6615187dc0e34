// A picture as HTML, drawn once: a narrow page scrolls what is too wide for it.
import type { ShownFigure } from "../marks/plot.ts";
import { drawFigure } from "../marks/draw-figure.ts";
import { Markup, html, typeset } from "./escape.ts";

// The width of the page's text, and half of it.
const fullPx = 920;
const halfPx = 444;

/** Without its footnote, which the page says once for all. */
function htmlFigure(figure: ShownFigure): Markup {
  const widthPx = figure.size === "half" ? halfPx : fullPx;
  const drawn = new Markup(drawFigure({ ...figure, footnote: "" }, widthPx, figure.name));
  return html`<figure id="plot-${figure.name}" class="${figure.size}">
    <figcaption id="caption-${figure.name}">
      <strong>${figure.title}</strong><span>${typeset(figure.caption)}</span>
    </figcaption>
    <div class="scroll" role="region" tabindex="0" aria-labelledby="caption-${figure.name}">${drawn}</div>
  </figure>`;
}

export function htmlFigures(figures: readonly ShownFigure[]): Markup {
  return figures.length === 0 ? html`` : html`<div class="figures">${figures.map(htmlFigure)}</div>`;
}
