// Predictions of queueing models as tables and pictures: `@roundtrip/report/predictions`.
import { predictionFigure, type PredictionChart } from "./predictions/prediction-figure.ts";
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";

export type { ClosedPoint, ClosedSweep } from "./predictions/closed-tables.ts";
export { closedTables } from "./predictions/closed-tables.ts";
export type { OpenPoint, OpenSweep } from "./predictions/open-table.ts";
export { openTable } from "./predictions/open-table.ts";
export { closedCharts, openCharts } from "./predictions/prediction-charts.ts";
export {
  runCharts,
  runTables,
  type CallersPoint,
  type CallersWithin,
  type PredictedTask,
  type RunPrediction,
  type TaskPrediction,
} from "./predictions/run-prediction.ts";
export type { PredictionChart } from "./predictions/prediction-figure.ts";

export function renderChart(chart: PredictionChart): RenderedPlot {
  return renderFigure(predictionFigure(chart));
}
