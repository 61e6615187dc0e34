// Round trips of several callers with think time, beside the predictions of mean value analysis from the demands of one caller,
// and the errors of these predictions by stack: over all predicted cells, and over those without a disturbance.
import { groupsOf } from "../comparison/stack-pairs.ts";
import { deviation, quantile } from "d3-array";
import { configurationOf, seriesKey, stackAsSet, type Arm, type StackAsSet } from "@roundtrip/runs";
import { garbageTogether, type MeasuredArms } from "../metrics/garbage.ts";
import { summaryFinder, type Metric } from "../metrics/summarise.ts";
import {
  callDemands,
  type CallDemands,
  callersRoundTripMs,
  type CallGarbage,
  type DemandAfterRest,
} from "./call-network.ts";

/** Absolute errors as shares of the measured value: 0.1 is a tenth. */
interface ErrorSpread {
  readonly median: number;
  readonly p90: number;
}

/** Errors of one stack with its settings. */
export interface PredictionErrors extends StackAsSet, ErrorSpread {
  /** The cells that count, in the order of the run: measured, and no input of the model. */
  readonly armIds: readonly string[];
  readonly largest: number;
  /** Those of the cells that nothing disturbed, and their number; undefined if all were, or none. */
  readonly ofOthers: (ErrorSpread & { readonly cells: number }) | undefined;
}

/** Undefined without any. */
function spreadOf(errors: readonly { readonly off: number }[]): ErrorSpread | undefined {
  const [median, p90] = [0.5, 0.9].map((share) => quantile(errors, share, ({ off }) => off));
  return median === undefined || p90 === undefined ? undefined : { median, p90 };
}

/** In the order of the series, without stacks that have no prediction. `disturbed` are arms whose blocks show it: never chosen by their errors. */
export function predictionErrors(
  series: readonly ConcurrencySeries[],
  disturbed: readonly string[],
): readonly PredictionErrors[] {
  return groupsOf(series, ({ alone }) => configurationOf(alone)).flatMap((ofStack) => {
    const cells = ofStack
      .flatMap(({ points }) => points)
      .flatMap(({ armId, error, isModelInput }) =>
        isModelInput || error === null ? [] : [{ armId, off: Math.abs(error) }],
      );
    const spread = spreadOf(cells);
    if (spread === undefined) return [];
    const others = cells.filter(({ armId }) => !disturbed.includes(armId));
    const ofOthers = others.length === cells.length ? undefined : spreadOf(others);
    return {
      ...stackAsSet(ofStack[0].alone),
      armIds: cells.map(({ armId }) => armId),
      ...spread,
      largest: Math.max(...cells.map(({ off }) => off)),
      ofOthers: ofOthers && { ...ofOthers, cells: others.length },
    };
  });
}

/** One number of callers with one think time. Times in milliseconds. */
export interface ConcurrencyPoint {
  readonly armId: string;
  readonly callers: number;
  readonly thinkMs: number;
  /** Mean round trip; null where the load was not kept. */
  readonly measuredMs: number | null;
  /** Standard deviation of the round means; null with fewer than two. */
  readonly stddevMs: number | null;
  readonly predictedMs: number;
  /** Relative error of the prediction: 0.1 is a tenth too long. */
  readonly error: number | null;
  /** Whether callers work while they think. */
  readonly isWork: boolean;
  /** Whether this point is an input of the model, and so predicts itself. */
  readonly isModelInput: boolean;
}

export interface MeasuredDemand extends DemandAfterRest {
  readonly calling: "alone" | "at once" | "after pauses";
}

export interface ConcurrencySeries {
  readonly study: string;
  readonly task: string;
  /** The arm of one caller without think time. */
  readonly alone: Arm;
  readonly demands: CallDemands;
  /** Demands of one caller on both processors, by the processor's rest before a call. */
  readonly seen: { readonly client: readonly MeasuredDemand[]; readonly server: readonly MeasuredDemand[] };
  /** Of the caller without think time, also with several calls at once. */
  readonly garbage: CallGarbage;
  /** By callers, then think time. */
  readonly points: readonly ConcurrencyPoint[];
}

const loadFactors = ["callers", "thinkMs", "thinkTime"];

/** Whether the arm makes several of the other's calls at once. */
export function isBurstOf(arm: Arm, singleCallerArm: Arm): boolean {
  const { study, task, stack, callsPerTask } = singleCallerArm;
  return (
    arm.callsPerTask > callsPerTask &&
    // Cheap to compare, and mostly different: the key is made for few.
    arm.stack === stack &&
    arm.study === study &&
    arm.task === task &&
    seriesKey({ ...arm, variant: singleCallerArm.variant }, ...loadFactors) ===
      seriesKey(singleCallerArm, ...loadFactors)
  );
}

interface ThinkingArm {
  readonly arm: Arm;
  readonly callers: number;
  readonly thinkMs: number;
}

function thinkingArms(arm: Arm): readonly ThinkingArm[] {
  const { callers, thinkMs } = arm.factors;
  if (arm.load?.loop !== "closed" || typeof callers !== "number" || typeof thinkMs !== "number") return [];
  return [{ arm, callers, thinkMs }];
}

type MeanOf = (arm: Arm, metric: Metric) => number | undefined;

/**
 * Returns the demands of one caller by the rest before a call: alone, after each pause, and with several calls at once. A processor's rest is the
 * time between two calls that it does not spend on a call. Pauses give no rest of the client, which polls for their end.
 */
function seenDemands(
  singleCallerArm: Arm,
  group: readonly ThinkingArm[],
  bursts: readonly Arm[],
  meanOf: MeanOf,
): ConcurrencySeries["seen"] {
  const seen = (
    { arm, thinkMs }: Pick<ThinkingArm, "arm" | "thinkMs">,
    metric: Metric,
    calling: MeasuredDemand["calling"],
  ): readonly MeasuredDemand[] => {
    const share = singleCallerArm.callsPerTask / arm.callsPerTask;
    const [taskMs, takenMs = 0] = [meanOf(arm, "latencyMs"), meanOf(arm, metric)];
    if (taskMs === undefined || !(takenMs > 0)) return [];
    return [{ calling, restMs: Math.max(0, share * (taskMs + thinkMs - takenMs)), demandMs: share * takenMs }];
  };
  const lonely = group.filter(({ arm, callers }) => callers === 1 && arm !== singleCallerArm);
  const side = (metric: Metric, pauses: readonly ThinkingArm[]): readonly MeasuredDemand[] =>
    [
      ...bursts.flatMap((arm) => seen({ arm, thinkMs: 0 }, metric, "at once")),
      ...seen({ arm: singleCallerArm, thinkMs: 0 }, metric, "alone"),
      ...pauses.flatMap((one) => seen(one, metric, "after pauses")),
    ].toSorted((one, other) => one.restMs - other.restMs);
  return { client: side("clientCpuMsPerTask", []), server: side("serverCpuMsPerTask", lonely) };
}

/** By what they were made from: each prediction is an iteration, and many parts of a report ask for the same series. */
const known = new WeakMap<MeasuredArms, readonly ConcurrencySeries[]>();

/** Returns every series that has one caller without think time and other points, in the order of the run. */
export function concurrencySeries(measured: MeasuredArms): readonly ConcurrencySeries[] {
  const series = known.get(measured) ?? everySeries(measured);
  known.set(measured, series);
  return series;
}

function everySeries({ arms, summaries, garbage: garbageOfArms }: MeasuredArms): readonly ConcurrencySeries[] {
  const find = summaryFinder(summaries);
  const meanOf: MeanOf = ({ id }, metric) => find(id, metric)?.mean;
  const all = arms.flatMap(thinkingArms);
  const groups = Map.groupBy(all, ({ arm }) => seriesKey(arm, ...loadFactors));
  return [...groups.values()].flatMap((group): readonly ConcurrencySeries[] => {
    const singleCallerArm = group.find(({ callers, thinkMs }) => callers === 1 && thinkMs === 0)?.arm;
    if (singleCallerArm === undefined || group.length < 2) return [];
    const [roundTripMs, clientMs = 0, serverMs = 0] = [
      meanOf(singleCallerArm, "latencyMs"),
      meanOf(singleCallerArm, "clientCpuMsPerTask"),
      meanOf(singleCallerArm, "serverCpuMsPerTask"),
    ];
    if (roundTripMs === undefined || !(clientMs > 0) || !(serverMs > 0)) return [];
    const demands = callDemands(roundTripMs, clientMs, serverMs);
    const bursts = all.flatMap(({ arm, callers, thinkMs }) =>
      callers === 1 && thinkMs === 0 && isBurstOf(arm, singleCallerArm) ? [arm] : [],
    );
    const seen = seenDemands(singleCallerArm, group, bursts, meanOf);
    const unthinking = new Set([singleCallerArm, ...bursts].map(({ id }) => id));
    const collected = garbageOfArms.filter(({ armId }) => unthinking.has(armId));
    const garbage = { client: garbageTogether(collected, "client"), server: garbageTogether(collected, "server") };
    const points = group.map(({ arm, callers, thinkMs }): ConcurrencyPoint => {
      const isWork = arm.factors["thinkTime"] === "work";
      const predictedMs = callersRoundTripMs({ alone: demands, ...seen, garbage }, callers, thinkMs, isWork);
      const measuredMs = meanOf(arm, "latencyMs") ?? null;
      return {
        armId: arm.id,
        callers,
        thinkMs,
        measuredMs,
        stddevMs: deviation(find(arm.id, "latencyMs")?.roundMeans ?? []) ?? null,
        predictedMs,
        error: measuredMs === null ? null : predictedMs / measuredMs - 1,
        isWork,
        isModelInput: arm === singleCallerArm,
      };
    });
    const { study, task } = singleCallerArm;
    const ordered = points.toSorted((one, other) => one.callers - other.callers || one.thinkMs - other.thinkMs);
    return [{ study, task, alone: singleCallerArm, demands, seen, garbage, points: ordered }];
  });
}
