// The pictures of a comparison as files of their own.
import type { VersionComparison } from "@roundtrip/analysis";
import { boxFigure } from "./comparisons/box-figure.ts";
import { changeFigure } from "./comparisons/change-figure.ts";
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";

/** What changed with its intervals, and box plots of latencies; none without cells. */
export function renderComparisonPlots(comparison: VersionComparison): readonly RenderedPlot[] {
  return [...changeFigure(comparison), ...boxFigure(comparison)].map(renderFigure);
}
