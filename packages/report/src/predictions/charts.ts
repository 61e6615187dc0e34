// The plots of predictions: response time by arrivals, and round trips by callers or think time.
import type { ResponsePercentiles } from "@roundtrip/analysis/models";
import type { CurvePoint } from "../marks/panels.ts";
import type { PredictedCurve, PredictionChart } from "./prediction-figure.ts";
import { labels, type RunPrediction, type TaskPrediction } from "./run-tables.ts";
import type { ClosedPoint, ClosedSweep, OpenSweep } from "./tables.ts";

const present = <T>(values: readonly (T | null)[]): readonly T[] => values.filter((value) => value !== null);

export function openCharts({ model, setting, capacityHz, points, curve }: OpenSweep): readonly PredictionChart[] {
  const stable = present(points.map(({ prediction }) => prediction));
  const mean = ({ rateHz, responseMs }: (typeof stable)[number]): CurvePoint => ({ at: rateHz, y: responseMs });
  const below =
    (name: keyof ResponsePercentiles) =>
    ({ rateHz, percentilesMs }: (typeof stable)[number]): readonly CurvePoint[] =>
      percentilesMs === null ? [] : [{ at: rateHz, y: percentilesMs[name] }];
  const percentiles = (["p50", "p99"] as const).map((name): PredictedCurve => ({
    label: name,
    points: curve.flatMap(below(name)),
    asked: stable.flatMap(below(name)),
  }));
  return [
    {
      name: "response-time",
      title: `${model}: response time over arrivals (${setting})`,
      xLabel: "arrivals per second",
      yLabel: "response time, ms",
      curves: [
        { label: "mean", points: curve.map(mean), asked: stable.map(mean) },
        ...percentiles.filter((curveOfShare) => curveOfShare.points.length > 0),
      ],
      simulated: points.flatMap(({ rateHz, simulated }) => {
        if (simulated === null || simulated.responseMs === null) return [];
        const { responseMs: y, responseLowMs, responseHighMs } = simulated;
        return [{ at: rateHz, y, low: responseLowMs ?? y, high: responseHighMs ?? y }];
      }),
      limitLines: [{ at: capacityHz, label: "capacity" }],
    },
  ];
}

function factorLabel({ factor, className }: ClosedSweep, several: boolean): string {
  if (factor === "population") return several ? `callers of class ${className}` : "callers";
  return several ? `think time of class ${className}, ms` : "think time, ms";
}

function roundTripsOf(points: readonly ClosedPoint[], index: number): readonly CurvePoint[] {
  return points.flatMap(({ at, prediction }) => {
    const y = prediction.classes[index]?.roundTripMs ?? null;
    return y === null ? [] : [{ at, y }];
  });
}

export function closedCharts(sweep: ClosedSweep): readonly PredictionChart[] {
  const { points, curve, factor, bounds } = sweep;
  const names = points[0]?.prediction.classes.map(({ name }) => name) ?? [];
  const several = names.length > 1;
  const xLabel = factorLabel(sweep, several);
  const curves = names.map((label, index): PredictedCurve => {
    return { label, points: roundTripsOf(curve, index), asked: roundTripsOf(points, index) };
  });
  const knee = bounds?.knee ?? null;
  const last = curve.at(-1)?.at ?? 0;
  const limitLines = factor === "population" && knee !== null && knee < last ? [{ at: knee, label: "knee" }] : [];
  return [
    {
      name: "round-trip",
      title: `Round trips over ${xLabel}`,
      xLabel,
      yLabel: "round trip, ms",
      curves,
      simulated: points.flatMap(({ at, simulated }) =>
        (simulated?.sources ?? []).flatMap(({ responseMs: y, responseLowMs, responseHighMs }) =>
          y === null ? [] : [{ at, y, low: responseLowMs ?? y, high: responseHighMs ?? y }],
        ),
      ),
      limitLines,
    },
  ];
}

/** A longer legend is not readable. */
const mostCurves = 12;

function curveOf(label: string, { points }: TaskPrediction): PredictedCurve {
  const shown = points
    .filter(({ thinkMs }) => thinkMs === points[0]?.thinkMs)
    .flatMap(({ callers, prediction }) => {
      const y = prediction.classes[0]?.roundTripMs ?? null;
      return y === null ? [] : [{ at: callers, y }];
    });
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
