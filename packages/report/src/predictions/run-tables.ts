// Predictions from a run as tables: the demands of its tasks, what callers would see, and the same after a change.
import { type CallDemands } from "@roundtrip/analysis";
import { workFactors, type Arm } from "@roundtrip/runs";
import type { AsymptoticBounds, ClosedPrediction } from "@roundtrip/analysis/models";
import { absent, tickLabel } from "../basics/quantity.ts";
import { figureColumns, measuredRow, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { busiestOf, figure } from "./tables.ts";

export interface CallersPoint {
  readonly callers: number;
  readonly thinkMs: number;
  readonly prediction: ClosedPrediction;
  /** Mean round trip of the run's own callers, in milliseconds; null where it has none. */
  readonly measuredMs: number | null;
}

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

function errorText(predictedMs: number, measuredMs: number | null): string {
  if (measuredMs === null) return absent;
  return `${(100 * (predictedMs / measuredMs - 1)).toFixed(1).replace("-", "−")} %`;
}

function callersTable({ tasks, change, assumptions }: RunPrediction, names: ReadonlyMap<Arm, string>): Table {
  const rows = tasks.flatMap(({ arm, asMeasured, changed }) =>
    asMeasured.points.map((point, index) => {
      const { roundTripMs, throughputHz } = point.prediction;
      const after = changed?.points[index]?.prediction;
      return measuredRow([
        names.get(arm) ?? arm.id,
        tickLabel(point.callers),
        tickLabel(point.thinkMs),
        figure(roundTripMs),
        figure(throughputHz),
        busiestOf(point),
        point.measuredMs === null ? absent : figure(point.measuredMs),
        errorText(roundTripMs, point.measuredMs),
        figure(after?.roundTripMs),
        figure(after?.throughputHz),
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
