// The pictures of a sweep: response time by arrivals; round trips and throughput by callers or think time.
import type { ResponsePercentiles } from "@roundtrip/analysis/models";
import type { ClosedPoint, ClosedSweep } from "./closed-tables.ts";
import type { OpenSweep } from "./open-table.ts";
import type { CurvePoint } from "../marks/curve.ts";
import type { PredictedCurve, PredictionChart } from "./prediction-figure.ts";

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
        ...percentiles.filter((one) => one.points.length > 0),
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

type OfClass = ClosedPoint["prediction"]["classes"][number];

export function closedCharts(sweep: ClosedSweep): readonly PredictionChart[] {
  const { points, curve, factor, bounds } = sweep;
  const names = points[0]?.prediction.classes.map(({ name }) => name) ?? [];
  const several = names.length > 1;
  const xLabel = factorLabel(sweep, several);
  const curvesOf = (value: (one: OfClass) => number | null): readonly PredictedCurve[] =>
    names.map((label, index): PredictedCurve => {
      const along = (some: readonly ClosedPoint[]): readonly CurvePoint[] =>
        some.flatMap(({ at, prediction }) => {
          const one = prediction.classes[index];
          const y = one === undefined ? null : value(one);
          return y === null ? [] : [{ at, y }];
        });
      return { label, points: along(curve), asked: along(points) };
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
      curves: curvesOf(({ roundTripMs }) => roundTripMs),
      simulated: points.flatMap(({ at, simulated }) =>
        (simulated?.sources ?? []).flatMap(({ responseMs: y, responseLowMs, responseHighMs }) =>
          y === null ? [] : [{ at, y, low: responseLowMs ?? y, high: responseHighMs ?? y }],
        ),
      ),
      limitLines,
    },
    {
      name: "throughput",
      title: `Round trips per second over ${xLabel}`,
      xLabel,
      yLabel: "round trips per second",
      curves: curvesOf(({ throughputHz }) => throughputHz),
      simulated: points.flatMap(({ at, simulated }) =>
        (simulated?.sources ?? []).map(({ throughputHz: y }) => ({ at, y, low: y, high: y })),
      ),
      limitLines,
    },
  ];
}
