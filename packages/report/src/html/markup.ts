// HTML with escaped text, the document around it, and tables.
import type { TableRow, Table } from "../basics/table.ts";
import { escapeXml } from "../marks/draw-figure.ts";
import { style } from "./style.ts";

// Nothing may be loaded, sent or run: the styles are in the file, and there are no scripts.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface DocumentParts {
  readonly title: string;
  readonly header: Markup;
  /** Begins with the verdict. */
  readonly main: Markup;
  readonly footer: Markup;
}

export function htmlDocument({ title, header, main, footer }: DocumentParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Roundtrip</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>${header}</header>
        <main id="content" tabindex="-1">${main}</main>
        <footer>${footer}</footer>
      </body>
    </html> `.text;
}

/** Keeps a unit on the line of its number. */
export function typeset(text: string): string {
  return text.replaceAll(/(\d) (%|×|[nµm]?s\b)/g, "$1\u00A0$2");
}

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | readonly (Markup | string)[];

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  return typeof piece === "object" ? piece.map(textOf).join("\n") : escapeXml(String(piece)).replaceAll("'", "&#39;");
}

/** A template that escapes its values and joins lists with line breaks. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(pieces[index - 1] ?? "") + part));
}

function htmlRow({ cells, nested, role }: TableRow, columns: Table["columns"]): Markup {
  const [name = "", ...figures] = cells;
  const data = figures.map((cell, index) => html`<td class="${columns[index + 1]?.align ?? "end"}">${cell}</td>`);
  return html`<tr class="${role}">
    <th scope="row">${nested?.name ?? name}</th>
    ${data}
  </tr>`;
}

function htmlGroup(rows: readonly TableRow[], { columns }: Table): Markup {
  const group = rows[0]?.nested?.group ?? "";
  const heading =
    group === ""
      ? ""
      : html`<tr class="group ${rows[0]?.role ?? "measured"}">
          <th scope="rowgroup" colspan="${columns.length}">${group}</th>
        </tr>`;
  return html`<tbody>
    ${heading} ${rows.map((row) => htmlRow(row, columns))}
  </tbody>`;
}

/** The scroll box is reachable by keyboard and named by the table's caption, which stays visible. */
export function htmlTable(table: Table): Markup {
  const heads = table.columns.map(({ heading, align }) => html`<th scope="col" class="${align}">${heading}</th>`);
  const groups = Map.groupBy(table.rows, ({ nested }) => nested?.groupId);
  const grouped = table.rows.some(({ nested }) => nested !== null);
  const note = table.note === "" ? "" : html`<p class="note">${table.note}</p>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="${table.id}-caption">
      <table id="${table.id}" class="${grouped ? "grouped" : "plain"}">
        <caption>
          <span id="${table.id}-caption">${table.caption}</span>
        </caption>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        ${[...groups.values()].map((rows) => htmlGroup(rows, table))}
      </table>
    </div>
    ${note}`;
}
