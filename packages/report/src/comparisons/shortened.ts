// A table that is cut where nobody would read on.
import { counted } from "@roundtrip/analysis";
import type { Table } from "../basics/table.ts";

/** At most so many rows, and a note of how many there are beyond them. */
export function shortened(table: Table, mostRows: number): Table {
  const left = table.rows.length - mostRows;
  if (left <= 0) return table;
  const note = [table.note, `${counted(left, "more row")} in the other formats.`].filter((part) => part !== "");
  return { ...table, rows: table.rows.slice(0, mostRows), note: note.join(" ") };
}
