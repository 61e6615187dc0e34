// A comparison as one self-contained web page: the verdict first, then pictures, then everything else.
import { counted, type VersionComparison } from "@roundtrip/analysis";
import type { ComparisonFormat, ComparisonInput } from "../registry/format.ts";
import { affected, otherWarnings, verdictOf, versionText } from "../comparisons/verdict-words.ts";
import { changeFigure } from "../comparisons/change-figure.ts";
import {
  changesCaption,
  changeTable,
  differencesTable,
  exactTable,
  figuresTable,
  foldedText,
} from "../comparisons/change-table.ts";
import { latencyTable, memoryTable } from "../comparisons/cell-label.ts";
import { html, htmlDocument, typeset, htmlTable, type Markup } from "../html/markup.ts";
import { htmlFigures, warningsSection } from "../html/sections.ts";

function verdictSection(comparison: VersionComparison): Markup {
  const { word, headline, sureness, next } = verdictOf(comparison);
  const { arms } = affected(comparison);
  const tables = [
    ...(arms.length === 0 ? [] : [changeTable(comparison, arms, changesCaption(comparison))]),
    ...[latencyTable(comparison), exactTable(comparison), differencesTable(comparison)].filter(
      (table) => table !== null,
    ),
  ];
  return html`<section aria-labelledby="verdict-heading" id="verdict">
    <h2 id="verdict-heading">${word}</h2>
    <p><strong>${typeset(headline)}</strong></p>
    ${sureness.map((sentence) => html`<p>${typeset(sentence)}</p>`)} ${next === "" ? "" : html`<p>Next: ${next}</p>`}
    ${tables.map(htmlTable)} ${foldedText(comparison).map((sentence) => html`<p class="note">${typeset(sentence)}</p>`)}
  </section>`;
}

function figuresSection(comparison: VersionComparison): Markup {
  if (comparison.cells.length === 0) return html``;
  const memory = memoryTable(comparison);
  return html`<section aria-labelledby="figures-heading">
    <h2 id="figures-heading">All figures</h2>
    ${htmlFigures(changeFigure(comparison))} ${htmlTable(figuresTable(comparison, comparison.cells))}
    ${memory === null ? "" : htmlTable(memory)}
  </section>`;
}

function render({ comparison }: ComparisonInput): string {
  const { base, head, cells } = comparison;
  const title = `${head.label} against ${base.label}`;
  const header = html`<h1>${title}</h1>
    <p class="lead">base: ${versionText(base)} · head: ${versionText(head)} · ${counted(cells.length, "metric")}</p>`;
  const shown = otherWarnings(comparison);
  const main = html`${verdictSection(comparison)} ${figuresSection(comparison)} ${warningsSection(shown)}`;
  return htmlDocument({ title, header, main, footer: html`<p>Made by Roundtrip.</p>` });
}

export const format: ComparisonFormat = { name: "html", fileName: "comparison.html", render };
