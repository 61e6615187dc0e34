// Predictions from a run: the demands of its tasks, what callers would see, and the same after a change.
import { workFactors, type Arm, type CallDemands } from "@roundtrip/analysis";
import type { AsymptoticBounds, ClosedPrediction } from "@roundtrip/analysis/models";
import { absent, tickLabel } from "../basics/quantity.ts";
import { figureColumns, measuredRow, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { busiestOf } from "./closed-tables.ts";
import { figure } from "./figures.ts";
import type { PredictedCurve, PredictionChart } from "./prediction-figure.ts";

/** Callers with a think time. */
export interface CallersPoint {
  readonly callers: number;
  readonly thinkMs: number;
  readonly prediction: ClosedPrediction;
  /** Mean round trip of the run's own callers, in milliseconds; null where it has none. */
  readonly measuredMs: number | null;
}

/** The most callers whose mean round trip is within the limit. */
export interface CallersWithin {
  readonly thinkMs: number;
  readonly callers: number;
  /** Round trips per second of so many; 0 without callers. */
  readonly perSecond: number;
}

/** A task under some conditions. */
export interface TaskPrediction {
  /** Of one caller. */
  readonly demands: CallDemands;
  /** The server's, when it never rests: the demand of calls at once or of many callers, where measured. */
  readonly busyServerMs: number;
  readonly bounds: AsymptoticBounds;
  readonly points: readonly CallersPoint[];
  /** One for each think time; empty without a limit. */
  readonly within: readonly CallersWithin[];
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
  readonly withinMs: number | null;
  /** Sentences. */
  readonly assumptions: readonly string[];
}

const loadFactors = ["callers", "thinkMs", "thinkTime"];

/** The task with whatever distinguishes it from the others, and its stack. */
function labels(tasks: readonly PredictedTask[]): ReadonlyMap<Arm, string> {
  const arms = tasks.map(({ arm }) => arm);
  const severalStudies = new Set(arms.map(({ study }) => study)).size > 1;
  return new Map(
    arms.map((arm) => {
      const alike = arms.filter(({ study, task }) => study === arm.study && task === arm.task);
      const factors = Object.entries(workFactors(arm)).filter(
        ([name]) => !loadFactors.includes(name) && new Set(alike.map((one) => one.factors[name])).size > 1,
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

function demandTable({ tasks, change }: RunPrediction, nameOf: ReadonlyMap<Arm, string>): Table {
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
        nameOf.get(arm) ?? arm.id,
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

function callersTable({ tasks, change, assumptions }: RunPrediction, nameOf: ReadonlyMap<Arm, string>): Table {
  const rows = tasks.flatMap(({ arm, asMeasured, changed }) =>
    asMeasured.points.map((point, index) => {
      const [own] = point.prediction.classes;
      const after = changed?.points[index];
      const predictedMs = own?.roundTripMs ?? null;
      return measuredRow([
        nameOf.get(arm) ?? arm.id,
        tickLabel(point.callers),
        tickLabel(point.thinkMs),
        figure(predictedMs),
        figure(own?.throughputHz),
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

function withinTable(
  { tasks, withinMs }: RunPrediction,
  nameOf: ReadonlyMap<Arm, string>,
  mostCallers: number,
): readonly Table[] {
  if (withinMs === null) return [];
  const callersText = (callers: number | undefined): string =>
    callers === undefined ? absent : `${callers === mostCallers ? "≥ " : ""}${callers.toLocaleString("en-US")}`;
  const table: Table = {
    id: "callers-within",
    caption: `Most callers whose mean round trip is within ${tickLabel(withinMs)} ms`,
    columns: figureColumns(
      "task and stack",
      "think time",
      "callers",
      "per second",
      "changed callers",
      "changed per second",
    ),
    rows: tasks.flatMap(({ arm, asMeasured, changed }) =>
      asMeasured.within.map(({ thinkMs, callers, perSecond }, index) =>
        measuredRow([
          nameOf.get(arm) ?? arm.id,
          tickLabel(thinkMs),
          callersText(callers),
          figure(perSecond),
          callersText(changed?.within[index]?.callers),
          figure(changed?.within[index]?.perSecond),
        ]),
      ),
    ),
    note: "",
  };
  return [withoutEmptyColumns(table)];
}

/** @param mostCallers the limit of the search for the most callers; a result at the limit is a lower bound. */
export function runTables(prediction: RunPrediction, mostCallers: number): readonly Table[] {
  const nameOf = labels(prediction.tasks);
  return [
    demandTable(prediction, nameOf),
    callersTable(prediction, nameOf),
    ...withinTable(prediction, nameOf, mostCallers),
  ];
}

/** A longer legend is not readable. */
const mostCurves = 12;

/** Round trips and throughput over callers, for the shortest think time; none for a single number of callers. */
export function runCharts(prediction: RunPrediction): readonly PredictionChart[] {
  const nameOf = labels(prediction.tasks);
  const curvesOf = (value: (point: CallersPoint) => number | null | undefined): readonly PredictedCurve[] => {
    const curve = (label: string, { points }: TaskPrediction): PredictedCurve => {
      const shown = points
        .filter(({ thinkMs }) => thinkMs === points[0]?.thinkMs)
        .flatMap((point) => {
          const y = value(point);
          return y === null || y === undefined ? [] : [{ at: point.callers, y }];
        });
      return { label, points: shown, asked: shown };
    };
    return prediction.tasks
      .flatMap(({ arm, asMeasured, changed }) => {
        const name = nameOf.get(arm) ?? arm.id;
        return [curve(name, asMeasured), ...(changed === null ? [] : [curve(`${name}, changed`, changed)])];
      })
      .slice(0, mostCurves);
  };
  const common = { xLabel: "callers", simulated: [], limitLines: [] };
  const several = prediction.tasks.some(
    ({ asMeasured }) => new Set(asMeasured.points.map(({ callers }) => callers)).size > 1,
  );
  if (!several) return [];
  return [
    {
      ...common,
      name: "round-trip",
      title: "Round trips over callers",
      yLabel: "round trip, ms",
      curves: curvesOf(({ prediction: { classes } }) => classes[0]?.roundTripMs),
    },
    {
      ...common,
      name: "throughput",
      title: "Tasks per second over callers",
      yLabel: "tasks per second",
      curves: curvesOf(({ prediction: { classes } }) => classes[0]?.throughputHz),
    },
  ];
}
