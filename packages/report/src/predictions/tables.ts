// Predictions of queueing models as tables: an open queue by rate and a closed network by callers.
import { threeDigits } from "@roundtrip/analysis";
import type { AsymptoticBounds, ClosedPrediction, OpenPrediction, Simulation } from "@roundtrip/analysis/models";
import { absent, number, tickLabel } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, withoutEmptyColumns, type Table, type TableRow } from "../basics/table.ts";

function percent(share: number | null): string {
  return share === null ? absent : `${threeDigits(100 * share)} %`;
}

export function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : number(value);
}

/** `50.2 ± 0.9`: a simulated mean with the half-width of its 95 % interval, or the mean alone without one. */
function simulatedMean(simulation: Simulation | null): string {
  if (simulation === null) return absent;
  const { responseMs, responseLowMs: low, responseHighMs: high } = simulation;
  if (low === null || high === null) return number(responseMs);
  const halfWidth = (high - low) / 2;
  // Constant times without waiting scatter only by rounding.
  return `${number(responseMs)} ± ${number(halfWidth < responseMs * 1e-9 ? 0 : halfWidth)}`;
}

const simulationNote = "±: half a 95 % interval of the simulated mean.";

export interface OpenPoint {
  readonly rateHz: number;
  /** The required share of the servers' time: impossible from 1 on. */
  readonly utilisation: number;
  /** Null for an unstable load. */
  readonly prediction: OpenPrediction | null;
  /** Null without a simulation. */
  readonly simulated: Simulation | null;
}

export interface OpenSweep {
  /** In queueing notation: `M/M/1`. */
  readonly model: string;
  /** What stays constant: `10 ms of service, 4 servers`. */
  readonly setting: string;
  readonly capacityHz: number;
  readonly points: readonly OpenPoint[];
  /** Between and around the points, for a curve; stable loads only. */
  readonly curve: readonly OpenPrediction[];
}

function rowOf({ rateHz, utilisation, prediction, simulated }: OpenPoint): TableRow {
  const percentiles = prediction?.percentilesMs;
  return measuredRow([
    tickLabel(rateHz),
    percent(utilisation),
    percent(prediction?.waitingProbability ?? null),
    figure(prediction?.queueLength),
    figure(prediction?.waitingMs),
    figure(prediction?.responseMs),
    figure(percentiles?.p50),
    figure(percentiles?.p95),
    figure(percentiles?.p99),
    simulatedMean(simulated),
    figure(simulated?.percentilesMs.p99),
  ]);
}

/** Times in milliseconds. */
export function openTable({ model, setting, capacityHz, points }: OpenSweep): Table {
  const unstable = points.some(({ prediction }) => prediction === null);
  return withoutEmptyColumns({
    id: "open-queue",
    caption: `${model}: response time by arrivals per second, in ms (${setting})`,
    columns: [
      column.end("per second"),
      column.end("busy"),
      column.end("have to wait"),
      column.end("mean queue"),
      column.end("waiting"),
      column.end("response"),
      column.end("p50"),
      column.end("p95"),
      column.end("p99"),
      column.end("simulated response"),
      column.end("simulated p99"),
    ],
    rows: points.map(rowOf),
    note: [
      ...(unstable
        ? [`From ${tickLabel(capacityHz)} per second on the queue grows without end: there is no finite response time.`]
        : []),
      ...(points.some(({ simulated }) => simulated !== null) ? [simulationNote] : []),
    ].join(" "),
  });
}

export interface ClosedPoint {
  /** The callers, or the think time in milliseconds. */
  readonly at: number;
  readonly population: number;
  readonly thinkMs: number;
  readonly prediction: ClosedPrediction;
  /** Null without a simulation. */
  readonly simulated: Simulation | null;
}

export interface ClosedSweep {
  readonly factor: "population" | "thinkMs";
  readonly points: readonly ClosedPoint[];
  /** From one end of the sweep to the other, for a curve. */
  readonly curve: readonly ClosedPoint[];
  readonly bounds: AsymptoticBounds;
}

/** The busiest station with its utilisation. */
export function busiestOf({ prediction }: Pick<ClosedPoint, "prediction">): string {
  const [busiest] = prediction.stations
    .filter(({ utilisation }) => utilisation !== null)
    .toSorted((a, b) => (b.utilisation ?? 0) - (a.utilisation ?? 0));
  return busiest === undefined ? "none" : `${busiest.name} ${percent(busiest.utilisation)}`;
}

function noteOf({ points, bounds }: ClosedSweep): string {
  const approximations = [...new Set(points.flatMap(({ prediction }) => prediction.approximations))];
  const ceiling =
    bounds.bottleneck === null
      ? []
      : [`No more than ${figure(bounds.ceilingHz)} round trips per second: ${bounds.bottleneck} can serve no more.`];
  return [
    approximations.length === 0 ? "Exact for this network." : `Approximate: ${approximations.join("; ")}.`,
    ...ceiling,
    ...(points.some(({ simulated }) => simulated !== null) ? [simulationNote] : []),
  ].join(" ");
}

/** Times in milliseconds. */
export function closedTable(sweep: ClosedSweep): Table {
  return withoutEmptyColumns({
    id: "round-trips",
    caption: "Closed network, mean value analysis: round trips, in ms",
    columns: figureColumns(
      "callers",
      "think time",
      "round trip",
      "per second",
      "busiest station",
      "simulated round trip",
    ),
    rows: sweep.points.map((point) =>
      measuredRow([
        tickLabel(point.population),
        tickLabel(point.thinkMs),
        figure(point.prediction.roundTripMs),
        figure(point.prediction.throughputHz),
        busiestOf(point),
        simulatedMean(point.simulated),
      ]),
    ),
    note: noteOf(sweep),
  });
}
