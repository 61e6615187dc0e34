// The pictures of a comparison as separate files.
import type { VersionComparison } from "@roundtrip/analysis";
import { boxFigure } from "./comparisons/box-figure.ts";
import { changeFigure } from "./comparisons/change-figure.ts";
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";

export function renderComparisonPlots(comparison: VersionComparison): readonly RenderedPlot[] {
  return [...changeFigure(comparison), ...boxFigure(comparison)].map(renderFigure);
}
