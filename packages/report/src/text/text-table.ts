// A table as text: aligned, with headings and names broken where that saves columns. Columns that do not fit continue below. Text is fitted by displayed
// width; emphasis is escape codes, and no meaning depends on it alone.
import { counted } from "@roundtrip/analysis";
import stringWidth from "string-width";
import { absent } from "../basics/quantity.ts";
import type { Column, TableRow, Table } from "../basics/table.ts";
import { emphasised, type Style } from "./emphasis.ts";

export { column, type Table } from "../basics/table.ts";

/** Pads the text with blanks after (`start`) or before (`end`) it, up to `columns`. */
export function pad(text: string, columns: number, align: "start" | "end"): string {
  const blanks = " ".repeat(Math.max(0, columns - stringWidth(text)));
  return align === "start" ? text + blanks : blanks + text;
}

/** The whole clauses of a text that fit, without the last punctuation mark. Cuts with an ellipsis when the first clause is too wide. */
export function clipClauses(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const ends = [...text.matchAll(/[.;:](?= )/gu)].map(({ index }) => index);
  const end = ends.findLast((index) => stringWidth(text.slice(0, index)) <= columns);
  return end === undefined ? clip(text, columns) : text.slice(0, end);
}

/** Cuts text wider than `columns`, with an ellipsis. */
export function clip(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (stringWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Replaces control characters (for example an escape in an imported name) with blanks. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

/** Breaks text at blanks into lines of at most `columns`. A longer word stays whole. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/u)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** Wraps text: the first line starts with `mark`, the others are indented to it. */
export function hanging(mark: string, text: string, columns: number): readonly string[] {
  const indent = stringWidth(mark);
  return wrap(text, columns - indent).map((line, index) => (index === 0 ? mark : " ".repeat(indent)) + line);
}

export type Ink = (text: string) => string;

export interface Inks {
  readonly heading: Ink;
  readonly quiet: Ink;
  readonly good: Ink;
  readonly careful: Ink;
  readonly bad: Ink;
}

/** @param introducer begins the control sequences; empty for none. Neither the stream nor the environment is inspected. */
export function inks(introducer: string): Inks {
  const ink =
    (style: Style): Ink =>
    (text) =>
      emphasised(style, text, introducer);
  return {
    heading: ink("bold"),
    quiet: ink("dim"),
    good: ink("green"),
    careful: ink("yellow"),
    bad: ink("red"),
  };
}

const gap = 2;
const indent = 2;
const narrowestName = 16;
const firstColumnShare = 0.45;

interface Sized {
  readonly column: Column;
  readonly index: number;
  readonly heading: readonly string[];
  readonly width: number;
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => stringWidth(text)));

function sized({ columns, rows }: Table, limit: number): readonly Sized[] {
  return columns.map((column, index) => {
    const cells = widest(rows.map((row) => printable(row.cells[index] ?? "")));
    const name = printable(column.heading);
    const heading = wrap(name, Math.max(cells, widest(name.split(" "))));
    const width = Math.max(cells, widest(heading));
    return { column, index, heading, width: index === 0 ? Math.min(width, limit) : width };
  });
}

/** Narrows the names as far as needed for all columns to fit side by side. Returns the columns unchanged if that is not enough. */
function fitted(columns: readonly Sized[], rows: readonly TableRow[], limit: number): readonly Sized[] {
  const [first, ...others] = columns;
  if (first === undefined) return columns;
  const words = [...first.heading, ...rows.map((row) => printable(row.cells[first.index] ?? ""))].flatMap((name) =>
    name.split(" "),
  );
  const free = limit - others.reduce((sum, { width }) => sum + gap + width, 0);
  const narrowest = Math.max(narrowestName, widest(words) + indent);
  return free >= first.width || free < narrowest ? columns : [{ ...first, width: free }, ...others];
}

function blocks(columns: readonly Sized[], limit: number): readonly (readonly Sized[])[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const groups: Sized[][] = [[first]];
  let used = first.width;
  for (const column of others) {
    const group = groups.at(-1) ?? [];
    if (used + gap + column.width > limit && group.length > 1) {
      groups.push([first, column]);
      used = first.width + gap + column.width;
    } else {
      group.push(column);
      used += gap + column.width;
    }
  }
  return groups;
}

/** Continues a name that is wider than its column below, indented. A name with a word that is too wide stays whole and is cut later. */
function nameLines(name: string, width: number): readonly string[] {
  const [first = ""] = wrap(name, width);
  const rest = name.slice(first.length).trimStart();
  if (rest === "") return [name];
  const lines = [first, ...wrap(rest, width - indent).map((line) => " ".repeat(indent) + line)];
  return lines.some((line) => stringWidth(line) > width) ? [name] : lines;
}

type LineOf = (cell: (column: Sized) => string) => string;

function lineOf(columns: readonly Sized[]): LineOf {
  return (cell) =>
    columns
      .map((column) => pad(clip(cell(column), column.width), column.width, column.column.align))
      .join(" ".repeat(gap))
      .trimEnd();
}

function widthOf(columns: readonly Sized[]): number {
  return columns.reduce((sum, column) => sum + column.width, gap * (columns.length - 1));
}

function headLines(columns: readonly Sized[], ink: Inks): readonly string[] {
  const depth = Math.max(...columns.map(({ heading }) => heading.length));
  const headings = Array.from({ length: depth }, (_, index) =>
    lineOf(columns)(({ heading }) => heading[index - (depth - heading.length)] ?? ""),
  );
  return [...headings.map(ink.quiet), ink.quiet("─".repeat(widthOf(columns)))];
}

function rowLines(columns: readonly Sized[], rows: readonly TableRow[], ink: Inks): readonly string[] {
  const line = lineOf(columns);
  // A row without a figure in these columns (for example a published one) would only use space.
  const [, ...rest] = columns;
  return rows
    .filter((row) => rest.length === 0 || rest.some(({ index }) => row.cells[index] !== absent))
    .flatMap((row) => {
      const [name = "", ...more] = nameLines(printable(row.cells[0] ?? ""), columns[0]?.width ?? 0);
      const text = line(({ index }) => (index === 0 ? name : printable(row.cells[index] ?? "")));
      return [text, ...more].map(row.role === "measured" ? (shown) => shown : ink.quiet);
    });
}

function captionLines({ caption }: Table, columns: number, ink: Inks): readonly string[] {
  return hanging("", printable(caption), columns).map(ink.heading);
}

/** Lines of at most `columns` characters, caption first, note last. */
export function textTable(table: Table, columns: number, ink: Inks): readonly string[] {
  const columnsSized = sized(table, Math.floor(columns * firstColumnShare));
  const groups = blocks(fitted(columnsSized, table.rows, columns), columns);
  return [
    ...captionLines(table, columns, ink),
    ...groups.flatMap((group, index) => [
      ...(index > 0 ? [""] : []),
      ...headLines(group, ink),
      ...rowLines(group, table.rows, ink),
    ]),
    ...(table.note === "" ? [] : hanging("", printable(table.note), columns).map(ink.quiet)),
  ];
}

/** The table in at most this many lines: its first rows and the number of others. */
export function fittedTable(table: Table, columns: number, most: number, ink: Inks): readonly string[] {
  for (let shown = table.rows.length; shown > 0; shown -= 1) {
    const left = table.rows.length - shown;
    const more = left === 0 ? [] : [ink.quiet(`… ${counted(left, "more row")}`)];
    const lines = [...textTable({ ...table, rows: table.rows.slice(0, shown) }, columns, ink), ...more];
    if (lines.length <= most) return lines;
  }
  return [];
}

export function fits(table: Table, columns: number): boolean {
  return widthOf(fitted(sized(table, Math.floor(columns * firstColumnShare)), table.rows, columns)) <= columns;
}

/** Tables with the same columns below each other: the headings stand once, each caption above its rows. Null where they do not fit side by side. */
export function stackedTables(tables: readonly Table[], columns: number, ink: Inks): readonly string[] | null {
  const [first] = tables;
  const headings = new Set(tables.map((table) => JSON.stringify(table.columns)));
  if (first === undefined || headings.size > 1) return null;
  const rows = tables.flatMap((table) => table.rows);
  const sizes = fitted(sized({ ...first, rows }, Math.floor(columns * firstColumnShare)), rows, columns);
  if (widthOf(sizes) > columns) return null;
  return tables.flatMap((table, index) => [
    ...captionLines(table, columns, ink),
    ...(index === 0 ? headLines(sizes, ink) : []),
    ...rowLines(sizes, table.rows, ink),
  ]);
}
