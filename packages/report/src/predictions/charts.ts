// The plots of predictions: response time by arrivals, and round trips by callers or think time.
import type { ResponsePercentiles, Simulation } from "@roundtrip/analysis/models";
import type { CurvePoint } from "../marks/panels.ts";
import type { PredictedCurve, PredictionChart } from "./prediction-figure.ts";
import { labels, type RunPrediction, type TaskPrediction } from "./run-tables.ts";
import type { ClosedPoint, ClosedSweep, OpenSweep } from "./tables.ts";

const present = <T>(values: readonly (T | null)[]): readonly T[] => values.filter((value) => value !== null);

function simulatedPoint(at: number, { responseMs: y, responseLowMs, responseHighMs }: Simulation) {
  return { at, y, low: responseLowMs ?? y, high: responseHighMs ?? y };
}

export function openCharts({ model, setting, capacityHz, points, curve }: OpenSweep): readonly PredictionChart[] {
  const stable = present(points.map(({ prediction }) => prediction));
  const mean = ({ rateHz, responseMs }: (typeof stable)[number]): CurvePoint => ({ at: rateHz, y: responseMs });
  const below =
    (name: keyof ResponsePercentiles) =>
    ({ rateHz, percentilesMs }: (typeof stable)[number]): CurvePoint => ({ at: rateHz, y: percentilesMs[name] });
  const percentiles = (["p50", "p99"] as const).map((name): PredictedCurve => ({
    label: name,
    points: curve.map(below(name)),
    asked: stable.map(below(name)),
  }));
  return [
    {
      name: "response-time",
      title: `${model}: response time over arrivals (${setting})`,
      xLabel: "arrivals per second",
      yLabel: "response time, ms",
      curves: [{ label: "mean", points: curve.map(mean), asked: stable.map(mean) }, ...percentiles],
      simulated: points.flatMap(({ rateHz, simulated }) =>
        simulated === null ? [] : [simulatedPoint(rateHz, simulated)],
      ),
      limitLines: [{ at: capacityHz, label: "capacity" }],
    },
  ];
}

function roundTripsOf(points: readonly ClosedPoint[]): readonly CurvePoint[] {
  return points.map(({ at, prediction }) => ({ at, y: prediction.roundTripMs }));
}

export function closedCharts({ points, curve, factor, bounds: { knee } }: ClosedSweep): readonly PredictionChart[] {
  const xLabel = factor === "population" ? "callers" : "think time, ms";
  const last = curve.at(-1)?.at ?? 0;
  return [
    {
      name: "round-trip",
      title: `Round trips over ${xLabel}`,
      xLabel,
      yLabel: "round trip, ms",
      curves: [{ label: "predicted", points: roundTripsOf(curve), asked: roundTripsOf(points) }],
      simulated: points.flatMap(({ at, simulated }) => (simulated === null ? [] : [simulatedPoint(at, simulated)])),
      limitLines: factor === "population" && knee !== null && knee < last ? [{ at: knee, label: "knee" }] : [],
    },
  ];
}

/** A longer legend is not readable. */
const mostCurves = 12;

function curveOf(label: string, { points }: TaskPrediction): PredictedCurve {
  const shown = points
    .filter(({ thinkMs }) => thinkMs === points[0]?.thinkMs)
    .map(({ callers, prediction }) => ({ at: callers, y: prediction.roundTripMs }));
  return { label, points: shown, asked: shown };
}

/** Round trips over callers, for the shortest think time; none for a single number of callers. */
export function runCharts({ tasks }: RunPrediction): readonly PredictionChart[] {
  const several = tasks.some(({ asMeasured }) => new Set(asMeasured.points.map(({ callers }) => callers)).size > 1);
  if (!several) return [];
  const names = labels(tasks);
  const curves = tasks
    .flatMap(({ arm, asMeasured, changed }) => {
      const name = names.get(arm) ?? arm.id;
      return [curveOf(name, asMeasured), ...(changed === null ? [] : [curveOf(`${name}, changed`, changed)])];
    })
    .slice(0, mostCurves);
  return [
    {
      name: "round-trip",
      title: "Round trips over callers",
      xLabel: "callers",
      yLabel: "round trip, ms",
      curves,
      simulated: [],
      limitLines: [],
    },
  ];
}
