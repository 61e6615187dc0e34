// Formats the figures of a measure as a table for the terminal.
import { column, inks, type Table, textTable } from "@roundtrip/report/text-table";
import { targetResult, type Figure, type Measure } from "./measure.ts";

function withUnit(text: string, unit: string): string {
  return unit === "" || unit === "×" ? `${text}${unit}` : `${text} ${unit}`;
}

function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
}

function row(figure: Figure): Table["rows"][number] {
  const { of, value, interval, unit, atMost } = figure;
  return {
    cells: [
      of,
      withUnit(digits(value), unit),
      interval === null ? "" : `${digits(interval.low)} to ${digits(interval.high)}`,
      atMost === undefined ? "" : `≤ ${withUnit(digits(atMost), unit)}`,
      targetResult(figure),
    ],
    role: "measured",
    nested: null,
  };
}

/** Lines for a terminal of this many columns: caption, figures, and the command that measures them again. */
export function figureTable(
  { name, title }: Pick<Measure, "name" | "title">,
  rounds: number,
  figures: readonly Figure[],
  { columns, colour }: { readonly columns: number; readonly colour: boolean },
): readonly string[] {
  const table: Table = {
    id: name,
    caption: `${name}: ${title}`,
    columns: [
      column.start("of"),
      column.end("figure"),
      column.end("95 % interval"),
      column.end("target"),
      column.start("standing"),
    ],
    rows: figures.map(row),
    note: `pnpm bench:self ${name}${rounds > 1 ? ` --rounds ${rounds}` : ""}`,
  };
  return textTable(table, columns, inks(colour));
}
