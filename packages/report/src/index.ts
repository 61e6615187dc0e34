// The report package, as its users see it.
export type { ComparisonFormat, ComparisonInput } from "./comparison-format.ts";
export type { Format } from "./format.ts";
export type { Figure, Plot } from "./plot.ts";
export {
  comparisonFormatNames,
  formatNames,
  loadComparisonFormat,
  loadFormat,
  loadFormats,
  loadPlots,
} from "./registry.ts";
export { renderComparisonPlots } from "./render-comparison-plots.ts";
export { renderPlots, type RenderedPlot } from "./render-plots.ts";
export { ReportError, type ReportErrorCode } from "./report-error.ts";
export { parseSamplesCsv } from "./foreign/parse-samples-csv.ts";
export type { Page, PublishedFigures, PublishedRow, ReportFile, ReportInput } from "./report-input.ts";
