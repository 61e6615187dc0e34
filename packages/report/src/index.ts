// The public API of the report package.
export type { ComparisonFormat, ComparisonInput, Format } from "./registry/format.ts";
export type { Figure, Plot } from "./marks/plot.ts";
export {
  comparisonFormatNames,
  formatNames,
  loadComparisonFormat,
  loadFormat,
  loadFormats,
  loadPlots,
} from "./registry/registry.ts";
export { renderComparisonPlots } from "./comparisons/change-figure.ts";
export { renderPlots } from "./registry/report-parts.ts";
export { metricLabel } from "./comparisons/cell-label.ts";
export { type RenderedPlot } from "./marks/draw-figure.ts";
export { ReportError, type ReportErrorCode } from "./basics/report-error.ts";
export { parseSamplesCsv } from "./foreign/parse-samples-csv.ts";
export type { TextLayout, ReportFile, ReportInput } from "./view/report-input.ts";
