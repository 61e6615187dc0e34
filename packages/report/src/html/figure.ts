// A picture as HTML, drawn for a page and for a phone; the style sheet shows one.
import type { ShownFigure } from "../marks/plot.ts";
import { drawFigure } from "../marks/draw-figure.ts";
import { Markup, html, typeset } from "./escape.ts";

// The width of the page's text, half of it, and a phone's.
const fullPx = 920;
const halfPx = 444;
const phonePx = 328;

function htmlFigure(figure: ShownFigure): Markup {
  const sizes = { wide: figure.size === "half" ? halfPx : fullPx, narrow: phonePx };
  const drawn = Object.entries(sizes).map(
    ([size, widthPx]) =>
      html`<div class="${size}">${new Markup(drawFigure(figure, widthPx, `${figure.name}-${size}`))}</div>`,
  );
  return html`<figure id="plot-${figure.name}" class="${figure.size}">
    <figcaption><strong>${figure.title}</strong><span>${typeset(figure.caption)}</span></figcaption>
    ${drawn}
  </figure>`;
}

export function htmlFigures(figures: readonly ShownFigure[]): Markup {
  return figures.length === 0 ? html`` : html`<div class="figures">${figures.map(htmlFigure)}</div>`;
}
