// A table as HTML: with a caption, row and column headers, a heading per group, and a scroll box on narrow pages.
import type { TableRow, Table } from "../basics/table.ts";
import { html, type Markup } from "./escape.ts";

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
