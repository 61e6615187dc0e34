// Trends of a history as tables, as a picture and as CSV: `@roundtrip/report/trends`.
import { stringify } from "csv-stringify/sync";
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";
import { trendFigure } from "./trends/trend-figure.ts";
import type { TrendSeries } from "./trends/trend-series.ts";

export { mostPanels } from "./trends/trend-figure.ts";
export { momentLabel, revisionLabel, type TrendSeries } from "./trends/trend-series.ts";
export { trendBreaksTable, trendChangesTable, trendTable } from "./trends/trend-tables.ts";

/** The picture as a separate file. @param runIds all runs, in the history's order. */
export function renderTrends(series: readonly TrendSeries[], runIds: readonly string[], title: string): RenderedPlot {
  return renderFigure(trendFigure(series, runIds, title));
}

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
