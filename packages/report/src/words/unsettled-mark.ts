// The sign of figures that were taken before their stack had settled: on its name in every table and picture, explained below each.
import { counted, listed, type Analysis } from "@roundtrip/analysis";
import type { Table } from "../table.ts";

const sign = "†";

type Marked = Pick<Analysis, "unsettled">;

/** The stack's name, with the sign when it had not settled in some round. */
export function markedTitle({ unsettled }: Marked, { title }: { readonly title: string }): string {
  return unsettled.some((row) => row.title === title) ? `${title}${sign}` : title;
}

/** What the sign means for those of these names that carry it; empty when none does. */
export function markNote({ unsettled }: Marked, titles: ReadonlySet<string>): string {
  const rows = unsettled.filter(({ title }) => titles.has(title));
  if (rows.length === 0) return "";
  const each = rows.map(({ title, rounds, of }) => `${title} in ${rounds.length} of ${counted(of, "round")}`);
  return `${sign} Warm-up cut off before the numbers settled: ${listed(each)}.`;
}

/** The table with the sign explained in its note, where a row of it carries the sign. */
export function withMarkNote(analysis: Marked, table: Table): Table {
  const shown = analysis.unsettled.filter(({ title }) =>
    table.rows.some(({ cells }) => cells[0]?.includes(`${title}${sign}`)),
  );
  const note = markNote(analysis, new Set(shown.map(({ title }) => title)));
  return { ...table, note: [table.note, note].filter((part) => part !== "").join(" ") };
}
