// The table of an open queue: one row per arrival rate, simulated figures beside the predicted ones.
import type { OpenPrediction, SimulatedSource } from "@roundtrip/analysis/models";
import { tickLabel } from "../basics/quantity.ts";
import { column, measuredRow, withoutEmptyColumns, type Table, type TableRow } from "../basics/table.ts";
import { figure, percent, simulatedMean, simulationNote } from "./figures.ts";

export interface OpenPoint {
  readonly rateHz: number;
  /** The required share of the servers' time: impossible from 1 on. */
  readonly utilisation: number;
  /** Null for an unstable load. */
  readonly prediction: OpenPrediction | null;
  /** Null without a simulation. */
  readonly simulated: SimulatedSource | null;
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
  /** Shown below the table; may be empty. */
  readonly note: string;
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
    figure(simulated?.percentilesMs?.p99),
  ]);
}

/** Times in milliseconds. */
export function openTable({ model, setting, capacityHz, points, note }: OpenSweep): Table {
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
      ...(note === "" ? [] : [note]),
      ...(points.some(({ simulated }) => simulated !== null) ? [simulationNote] : []),
    ].join(" "),
  });
}
