// Tables without formatting, which the terminal, HTML and Markdown render, and their Markdown.
import type { Arm, StackAsSet } from "@roundtrip/runs";
import { absent } from "./quantity.ts";

export const topics = ["sweep", "shape", "latency", "cost"] as const;

export type Topic = (typeof topics)[number];

export interface Column {
  readonly heading: string;
  readonly align: "start" | "end";
}

/** A row's name in two parts, for documents that put a heading above each group. */
export interface NestedName {
  /** Identifies the group: groups of two stacks may have one name. */
  readonly groupId: string;
  readonly group: string;
  readonly name: string;
}

export interface TableRow {
  /** The first cell has the full name of the row. */
  readonly cells: readonly string[];
  /** The same name in parts; null in tables without groups. Rows of one group are adjacent. */
  readonly nested: NestedName | null;
  /** `published` rows come from a source, not from this run. `floor` rows are the reference of others. */
  readonly role: "measured" | "floor" | "published";
}

export interface Table {
  /** Unique in a report; letters, digits and dashes only. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** What the reader has to know; may be empty. */
  readonly note: string;
}

export type NamedStack = Arm | StackAsSet;

export interface NamedTable {
  readonly table: Table;
  readonly stacks: readonly NamedStack[];
}

export function measuredRow(cells: readonly string[], nested: NestedName | null = null): TableRow {
  return { role: "measured", nested, cells };
}

function withColumnsWhere(table: Table, isKept: (column: Column, index: number) => boolean): Table {
  const isShown = table.columns.map(isKept);
  const kept = <T>(items: readonly T[]): readonly T[] => items.filter((_, index) => isShown[index]);
  return {
    ...table,
    columns: kept(table.columns),
    rows: table.rows.map((row) => ({ ...row, cells: kept(row.cells) })),
  };
}

/** The table without columns that have no figure. The first column always stays. */
export function withoutEmptyColumns(table: Table): Table {
  return withColumnsWhere(table, (_, index) => index === 0 || table.rows.some(({ cells }) => cells[index] !== absent));
}

export function withoutColumn(table: Table, unwanted: string): Table {
  return withColumnsWhere(table, ({ heading }) => heading !== unwanted);
}

/** Converts text to a part of an id or file name. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const start = (heading: string): Column => ({ heading, align: "start" });
const end = (heading: string): Column => ({ heading, align: "end" });

/** Names are aligned to the start, figures to the end. */
export const column = { start, end } as const;

export function figureColumns(name: string, ...figures: readonly string[]): readonly Column[] {
  return [start(name), ...figures.map(end)];
}

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
