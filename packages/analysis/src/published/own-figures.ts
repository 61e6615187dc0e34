// Published figures as tests of claims take them: the authors' own data, judged by the same rules as a run.
import { idsFromName, keyOf, type Arm, type PublishedFigures, type PublishedRow } from "@roundtrip/runs";
import { lineFit, tInterval, twoSidedT } from "../statistics/student-t.ts";
import type { Metric } from "../metrics/summarise.ts";
import type { TestedFigures } from "./arm-tests.ts";

function armOf({ label, task, style, variant, factors }: PublishedRow, study: string): Arm {
  return {
    id: keyOf({ label, task: task ?? "", variant, ...factors }),
    study,
    task: task ?? "",
    ...idsFromName(label),
    style: style ?? "",
    title: label,
    stackTitle: label,
    role: "style",
    variant,
    factors,
    callsPerTask: 1,
  };
}

/** The interval of a mean: of its repetitions, or by its standard deviation; null for a figure that stands alone. */
function meanInterval({ meanMs, stddevMs, iterations, roundMeansMs }: PublishedRow): readonly [number, number] | null {
  if (roundMeansMs !== undefined) {
    const interval = tInterval(roundMeansMs);
    return interval && [interval.low, interval.high];
  }
  if (meanMs === null || stddevMs === null || iterations === undefined) return null;
  const reach = (twoSidedT(0.95, iterations - 1) * stddevMs) / Math.sqrt(iterations);
  return [meanMs - reach, meanMs + reach];
}

interface Point {
  readonly arm: Arm;
  readonly x: number;
  readonly y: number;
}

/** The line through latencies over distance. Its interval is that of the residuals: there is one figure for each distance. */
function lineOf(points: readonly Point[]): TestedFigures["roundTrips"] {
  if (points.length < 3) return [];
  const { slope, intercept } = lineFit(points);
  const centre = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const degrees = points.length - 2;
  const residual = points.reduce((sum, { x, y }) => sum + (y - intercept - slope * x) ** 2, 0) / degrees;
  const across = points.reduce((sum, { x }) => sum + (x - centre) ** 2, 0);
  const reach = twoSidedT(0.95, degrees) * Math.sqrt(residual / across);
  const armIds = points.map(({ arm }) => arm.id);
  return [{ armIds, isFirstCall: false, perCall: slope, low: slope - reach, high: slope + reach }];
}

export function ownFigures({ study, rows }: PublishedFigures): TestedFigures {
  const legible = rows.flatMap((row) => {
    const value = row.counted === undefined ? row.meanMs : row.counted.value;
    return value === null || row.firstCall !== undefined ? [] : [{ row, value, arm: armOf(row, study) }];
  });
  const points = legible.flatMap(({ arm, value }): readonly Point[] => {
    const { rttMs } = arm.factors;
    return typeof rttMs === "number" ? [{ arm, x: rttMs, y: value }] : [];
  });
  return {
    arms: legible.map(({ arm }) => arm),
    comparisons: [],
    summaries: legible.map(({ arm, row, value }) => {
      const [low, high] = meanInterval(row) ?? [null, null];
      const metric = (row.counted?.metric ?? "latencyMs") as Metric;
      return { armId: arm.id, metric, mean: value, meanLow: low, meanHigh: high, roundMeans: row.roundMeansMs ?? [] };
    }),
    roundTrips: [...Map.groupBy(points, ({ arm }) => keyOf({ label: arm.title, task: arm.task })).values()].flatMap(
      lineOf,
    ),
  };
}
