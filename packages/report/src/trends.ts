// Trends of a history as tables and as a picture: `@roundtrip/report/trends`.
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";
import { trendFigure } from "./trends/trend-figure.ts";
import type { TrendSeries } from "./trends/trend-series.ts";

export { historyCsv, type HistoryLine } from "./trends/history-csv.ts";
export { mostPanels } from "./trends/trend-figure.ts";
export { momentLabel, revisionLabel, type TrendSeries } from "./trends/trend-series.ts";
export { trendBreaksTable, trendChangesTable, trendTable } from "./trends/trend-tables.ts";

/** The picture as a separate file. @param runIds all runs, in the history's order. */
export function renderTrends(series: readonly TrendSeries[], runIds: readonly string[], title: string): RenderedPlot {
  return renderFigure(trendFigure(series, runIds, title));
}
