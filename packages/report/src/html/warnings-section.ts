// The warnings of a report or a comparison, as a landmark with a heading.
import type { Warning } from "@roundtrip/analysis";
import { html, type Markup } from "./escape.ts";

export function warningsSection(warnings: readonly Warning[]): Markup {
  const items = warnings.map(
    ({ code, message, armId }) =>
      html`<li>${message} <code>${code}${armId === undefined ? "" : ` ${armId}`}</code></li>`,
  );
  return html`<section aria-labelledby="warnings">
    <h2 id="warnings">Warnings</h2>
    ${
      items.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="warnings">
            ${items}
          </ul>`
    }
  </section>`;
}
