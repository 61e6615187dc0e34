// A history in long form as CSV: one line for each run, arm and metric.
import { stringify } from "csv-stringify/sync";

/** Values by column; lists are joined with blanks. */
export type HistoryLine = Readonly<Record<string, string | number | boolean | null>>;

/** RFC 4180; unknown values are empty. @param isFirst writes the header too: a long history is written part by part. */
export function historyCsv(columns: readonly string[], lines: readonly HistoryLine[], isFirst: boolean): string {
  // Formulas are escaped: an imported name that begins with "=" must not run in a spreadsheet.
  return stringify([...lines], {
    columns: [...columns],
    header: isFirst,
    cast: { boolean: String },
    escape_formulas: true,
  });
}
