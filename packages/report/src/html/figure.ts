// A picture as HTML, drawn twice: for a page and for a phone, of which the style sheet shows one.
import type { Figure } from "../plot.ts";
import { drawFigure } from "../render-plots.ts";
import { Html, html } from "./escape.ts";

const widthsPx = { wide: 840, narrow: 328 } as const;

export function htmlFigure(figure: Figure): Html {
  const drawn = (["wide", "narrow"] as const).map(
    (size) =>
      html`<div class="${size}">${new Html(drawFigure(figure, widthsPx[size], `${figure.name}-${size}`))}</div>`,
  );
  return html`<figure id="plot-${figure.name}">
    <figcaption><strong>${figure.title}</strong><span>${figure.caption}</span></figcaption>
    ${drawn}
  </figure>`;
}
