// A table as HTML: captioned, headed by row and column, and scrolled in a box of its own where the page is narrow.
import type { Table } from "../table.ts";
import { html, type Html } from "./escape.ts";

/** The scroll box can be reached by keyboard and is named by the table's caption, which stays in sight. */
export function htmlTable(table: Table): Html {
  const heads = table.columns.map(({ heading, align }) => html`<th scope="col" class="${align}">${heading}</th>`);
  const rows = table.rows.map(({ cells, role }) => {
    const [name = "", ...figures] = cells;
    const data = figures.map(
      (cell, index) => html`<td class="${table.columns[index + 1]?.align ?? "end"}">${cell}</td>`,
    );
    return html`<tr class="${role}">
      <th scope="row">${name}</th>
      ${data}
    </tr>`;
  });
  const note = table.note === "" ? "" : html`<p class="note">${table.note}</p>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="${table.id}-caption">
      <table id="${table.id}">
        <caption>
          <span id="${table.id}-caption">${table.caption}</span>
        </caption>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${note}`;
}
