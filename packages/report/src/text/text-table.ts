// A table in text: aligned, headings over two lines, and columns that do not fit the width continued below.
import stringWidth from "string-width";
import { absent } from "../quantity.ts";
import type { Column, Row, Table } from "../table.ts";
import { clip, hanging, pad, printable, wrap } from "./fit.ts";
import type { Inks } from "./ink.ts";

const gap = 2;
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
    const heading = wrap(column.heading, Math.max(cells, widest(column.heading.split(" "))));
    const width = Math.max(cells, widest(heading));
    return { column, index, heading, width: index === 0 ? Math.min(width, limit) : width };
  });
}

/** Groups of columns that fit side by side; the first column leads each group. */
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

function blockLines(columns: readonly Sized[], rows: readonly Row[], ink: Inks): readonly string[] {
  const line = (cell: (column: Sized) => string): string =>
    columns
      .map((one) => pad(clip(cell(one), one.width), one.width, one.column.align))
      .join(" ".repeat(gap))
      .trimEnd();
  const depth = Math.max(...columns.map(({ heading }) => heading.length));
  const headings = Array.from({ length: depth }, (_, index) =>
    line(({ heading }) => heading[index - (depth - heading.length)] ?? ""),
  );
  // A row without a figure here (a published one, say) would only take space.
  const [, ...rest] = columns;
  const width = columns.reduce((sum, column) => sum + column.width, gap * (columns.length - 1));
  return [
    ...headings.map(ink.quiet),
    ink.quiet("─".repeat(width)),
    ...rows
      .filter((row) => rest.length === 0 || rest.some(({ index }) => row.cells[index] !== absent))
      .map((row) => {
        const text = line(({ index }) => printable(row.cells[index] ?? ""));
        return row.role === "measured" ? text : ink.quiet(text);
      }),
  ];
}

/** Lines of at most `columns` characters, caption first, note last. */
export function textTable(table: Table, columns: number, ink: Inks): readonly string[] {
  const groups = blocks(sized(table, Math.floor(columns * firstColumnShare)), columns);
  return [
    ...hanging("", printable(table.caption), columns).map(ink.heading),
    ...groups.flatMap((group, index) => [...(index > 0 ? [""] : []), ...blockLines(group, table.rows, ink)]),
    ...(table.note === "" ? [] : hanging("", printable(table.note), columns).map(ink.quiet)),
  ];
}
