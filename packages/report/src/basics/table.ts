// A table before it has a look: terminal, HTML and Markdown all write the same one.
import type { Arm, StackAsSet } from "@roundtrip/analysis";
import { absent } from "./quantity.ts";

export const topics = ["sweep", "shape", "latency", "cost", "distribution", "rounds", "first-call"] as const;

export type Topic = (typeof topics)[number];

export interface Column {
  readonly heading: string;
  readonly align: "start" | "end";
}

/** A row's name in two parts, for a document that puts rows of one group under a heading of their own. */
export interface NestedName {
  /** What the group is of: groups of two stacks may have one name. */
  readonly groupId: string;
  readonly group: string;
  readonly name: string;
}

export interface TableRow {
  /** The first cell names the row in full. */
  readonly cells: readonly string[];
  /** The same name in parts; null where the table has no groups. Rows of one group follow each other. */
  readonly nested: NestedName | null;
  /** `published` rows come from a source, not from this run; `floor` rows are what others are held against. */
  readonly role: "measured" | "floor" | "published";
}

export interface Table {
  /** Unique in a report; letters, digits and dashes. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** What to know when reading it; empty when nothing. */
  readonly note: string;
}

/** A stack as it is set, or one of its arms. */
export type NamedStack = Arm | StackAsSet;

/** A table, and the stacks whose names its rows carry. */
export interface NamedTable {
  readonly table: Table;
  readonly stacks: readonly NamedStack[];
}

/** A row of this run. */
export function measuredRow(cells: readonly string[], nested: NestedName | null = null): TableRow {
  return { role: "measured", nested, cells };
}

/** The table without columns in which no row has a figure; the first column names the rows and stays. */
export function withoutEmptyColumns(table: Table): Table {
  const filled = table.columns.map(
    (_, index) => index === 0 || table.rows.some(({ cells }) => cells[index] !== absent),
  );
  const kept = <T>(items: readonly T[]): readonly T[] => items.filter((_, index) => filled[index]);
  return {
    ...table,
    columns: kept(table.columns),
    rows: table.rows.map((row) => ({ ...row, cells: kept(row.cells) })),
  };
}

/** A name as part of an id or a file's name. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const start = (heading: string): Column => ({ heading, align: "start" });
const end = (heading: string): Column => ({ heading, align: "end" });

/** Columns: names start, figures end. */
export const column = { start, end } as const;

/** The column that names the rows, then columns of figures. */
export function figureColumns(name: string, ...figures: readonly string[]): readonly Column[] {
  return [start(name), ...figures.map(end)];
}
