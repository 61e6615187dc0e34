// Predictions of queueing models as tables and plots: `@roundtrip/report/predictions`.
import { predictionFigure, type PredictionChart } from "./predictions/prediction-figure.ts";
import { renderFigure, type RenderedPlot } from "./marks/draw-figure.ts";

export {
  closedTable,
  openTable,
  type ClosedPoint,
  type ClosedSweep,
  type OpenPoint,
  type OpenSweep,
} from "./predictions/tables.ts";
export {
  runTables,
  type CallersPoint,
  type PredictedTask,
  type RunPrediction,
  type TaskPrediction,
} from "./predictions/run-tables.ts";
export { closedCharts, openCharts, runCharts } from "./predictions/charts.ts";
export type { PredictionChart } from "./predictions/prediction-figure.ts";

export function renderChart(chart: PredictionChart): RenderedPlot {
  return renderFigure(predictionFigure(chart));
}
