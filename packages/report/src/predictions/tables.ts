// Predictions of queueing models as tables: an open queue by rate, a closed network by callers, and the tasks of a run.
import { threeDigits, workFactors, type Arm, type CallDemands } from "@roundtrip/analysis";
import type {
  AsymptoticBounds,
  ClosedPrediction,
  OpenPrediction,
  SimulatedSource,
  Simulation,
} from "@roundtrip/analysis/models";
import { absent, number, tickLabel } from "../basics/quantity.ts";
import { column, figureColumns, measuredRow, withoutEmptyColumns, type Table, type TableRow } from "../basics/table.ts";

function percent(share: number | null): string {
  return share === null ? absent : `${threeDigits(100 * share)} %`;
}

function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : number(value);
}

/** `50.2 ± 0.9`: a simulated mean with the half-width of its 95 % interval, or the mean alone without one. */
function simulatedMean(source: SimulatedSource | null | undefined): string {
  if (source === null || source === undefined || source.responseMs === null) return absent;
  const { responseMs, responseLowMs: low, responseHighMs: high } = source;
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
  /** The callers, or the think time in milliseconds, of the class that varies. */
  readonly at: number;
  readonly prediction: ClosedPrediction;
  /** Null without a simulation. */
  readonly simulated: Simulation | null;
}

export interface ClosedSweep {
  readonly factor: "population" | "thinkMs";
  readonly className: string;
  readonly points: readonly ClosedPoint[];
  /** From one end of the sweep to the other, for a curve. */
  readonly curve: readonly ClosedPoint[];
  /** Null for several classes, which have no common bounds. */
  readonly bounds: AsymptoticBounds | null;
}

/** The busiest station with its utilisation. */
function busiestOf({ prediction }: Pick<ClosedPoint, "prediction">): string {
  const [busiest] = prediction.stations
    .filter(({ utilisation }) => utilisation !== null)
    .toSorted((a, b) => (b.utilisation ?? 0) - (a.utilisation ?? 0));
  return busiest === undefined ? "none" : `${busiest.name} ${percent(busiest.utilisation)}`;
}

function classRows(point: ClosedPoint): readonly TableRow[] {
  return point.prediction.classes.map(({ name, population, thinkMs, roundTripMs, throughputHz }, index) => {
    const simulated = point.simulated?.sources[index];
    return measuredRow([
      name,
      tickLabel(population),
      tickLabel(thinkMs),
      figure(roundTripMs),
      figure(throughputHz),
      busiestOf(point),
      simulatedMean(simulated),
    ]);
  });
}

function noteOf({ points, bounds }: ClosedSweep): string {
  const approximations = [...new Set(points.flatMap(({ prediction }) => prediction.approximations))];
  const ceiling =
    bounds?.bottleneck === null || bounds === null
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
      "class",
      "callers",
      "think time",
      "round trip",
      "per second",
      "busiest station",
      "simulated round trip",
    ),
    rows: sweep.points.flatMap(classRows),
    note: noteOf(sweep),
  });
}

/** Callers with a think time. */
export interface CallersPoint {
  readonly callers: number;
  readonly thinkMs: number;
  readonly prediction: ClosedPrediction;
  /** Mean round trip of the run's own callers, in milliseconds; null where it has none. */
  readonly measuredMs: number | null;
}

/** A task under some conditions. */
export interface TaskPrediction {
  /** Of one caller. */
  readonly demands: CallDemands;
  /** The server's, when it never rests: the demand of calls at once or of many callers, where measured. */
  readonly busyServerMs: number;
  readonly bounds: AsymptoticBounds;
  readonly points: readonly CallersPoint[];
}

export interface PredictedTask {
  readonly arm: Arm;
  readonly asMeasured: TaskPrediction;
  /** After the change; null without one. */
  readonly changed: TaskPrediction | null;
}

export interface RunPrediction {
  readonly tasks: readonly PredictedTask[];
  /** What the change is; empty without one. */
  readonly change: string;
  /** Sentences. */
  readonly assumptions: readonly string[];
}

const loadFactors = ["callers", "thinkMs", "thinkTime"];

/** The task with whatever distinguishes it from the others, and its stack. */
export function labels(tasks: readonly PredictedTask[]): ReadonlyMap<Arm, string> {
  const arms = tasks.map(({ arm }) => arm);
  const severalStudies = new Set(arms.map(({ study }) => study)).size > 1;
  return new Map(
    arms.map((arm) => {
      const ofTask = arms.filter(({ study, task }) => study === arm.study && task === arm.task);
      const factors = Object.entries(workFactors(arm)).filter(
        ([name]) => !loadFactors.includes(name) && new Set(ofTask.map((armOfTask) => armOfTask.factors[name])).size > 1,
      );
      const parts = [
        severalStudies ? `${arm.study} ${arm.task}` : arm.task,
        ...(arm.variant === "single" ? [] : [arm.variant]),
        ...factors.map(([name, value]) => `${name}=${String(value)}`),
        arm.title,
      ];
      return [arm, parts.join(", ")];
    }),
  );
}

function demandTable({ tasks, change }: RunPrediction, names: ReadonlyMap<Arm, string>): Table {
  return withoutEmptyColumns({
    id: "demands",
    caption: "Demands of a task, from one caller of the run, in ms",
    columns: figureColumns(
      "task and stack",
      "round trip",
      "client CPU",
      "server CPU",
      "server CPU, busy",
      "delay",
      "phase two",
      "per second at most",
      "changed: at most",
    ),
    rows: tasks.map(({ arm, asMeasured: { demands, busyServerMs, bounds }, changed }) =>
      measuredRow([
        names.get(arm) ?? arm.id,
        figure(demands.roundTripMs),
        demands.clientMs === 0 ? absent : figure(demands.clientMs),
        figure(demands.serverMs),
        busyServerMs === demands.serverMs ? absent : figure(busyServerMs),
        figure(demands.delayMs),
        demands.phaseTwoMs === 0 ? absent : figure(demands.phaseTwoMs),
        figure(bounds.ceilingHz),
        figure(changed?.bounds.ceilingHz),
      ]),
    ),
    note: [
      "CPU: processor time; busy: of calls at once or of many callers. Delay: the rest of the round trip, the network above all. Phase two: processor time after the answer.",
      ...(change === "" ? [] : [`Changed: ${change}.`]),
    ].join(" "),
  });
}

function errorText(predictedMs: number | null, measuredMs: number | null): string {
  if (predictedMs === null || measuredMs === null) return absent;
  return `${(100 * (predictedMs / measuredMs - 1)).toFixed(1).replace("-", "−")} %`;
}

function callersTable({ tasks, change, assumptions }: RunPrediction, names: ReadonlyMap<Arm, string>): Table {
  const rows = tasks.flatMap(({ arm, asMeasured, changed }) =>
    asMeasured.points.map((point, index) => {
      const [prediction] = point.prediction.classes;
      const after = changed?.points[index];
      const predictedMs = prediction?.roundTripMs ?? null;
      return measuredRow([
        names.get(arm) ?? arm.id,
        tickLabel(point.callers),
        tickLabel(point.thinkMs),
        figure(predictedMs),
        figure(prediction?.throughputHz),
        busiestOf(point),
        point.measuredMs === null ? absent : figure(point.measuredMs),
        errorText(predictedMs, point.measuredMs),
        figure(after?.prediction.classes[0]?.roundTripMs),
        figure(after?.prediction.classes[0]?.throughputHz),
      ]);
    }),
  );
  const approximations = tasks.flatMap(({ asMeasured }) =>
    asMeasured.points.flatMap(({ prediction }) => prediction.approximations),
  );
  return withoutEmptyColumns({
    id: "callers",
    caption: `Predicted by mean value analysis: mean round trips, in ms${change === "" ? "" : `; changed: ${change}`}`,
    columns: figureColumns(
      "task and stack",
      "callers",
      "think time",
      "round trip",
      "per second",
      "busiest",
      "measured",
      "error",
      "changed round trip",
      "changed per second",
    ),
    rows,
    note: [
      `Assumed: ${assumptions.join("; ")}.`,
      ...(approximations.length === 0 ? [] : [`Approximate: ${[...new Set(approximations)].join("; ")}.`]),
    ].join(" "),
  });
}

export function runTables(prediction: RunPrediction): readonly Table[] {
  const names = labels(prediction.tasks);
  return [demandTable(prediction, names), callersTable(prediction, names)];
}
