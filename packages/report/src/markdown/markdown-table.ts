// Text and tables as GitHub-flavoured Markdown.
import type { Table } from "../basics/table.ts";

/** Escapes text: nothing in it is markup, ends a table cell or starts an element. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~]/g, "\\$&").replaceAll(/\s+/gu, " ");
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

export function markdownTable({ caption, columns, rows, note }: Table): string {
  return [
    `**${escapeMarkdown(caption)}**`,
    "",
    line(columns.map(({ heading }) => escapeMarkdown(heading))),
    line(columns.map(({ align }) => (align === "end" ? "--:" : ":--"))),
    ...rows.map(({ cells, role }) =>
      line(
        cells.map((cell) => (role === "published" && cell !== "" ? `_${escapeMarkdown(cell)}_` : escapeMarkdown(cell))),
      ),
    ),
    ...(note === "" ? [] : ["", escapeMarkdown(note)]),
    "",
  ].join("\n");
}
