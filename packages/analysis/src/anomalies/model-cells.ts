// Cells with a prediction and a measured interval, in one form for all models.
import { max } from "d3-array";
import type { Anomaly } from "./anomaly.ts";
import { thresholds } from "../basics/thresholds.ts";
import { durationText } from "../basics/words.ts";
import type { RoundTrips } from "../distance/round-trips.ts";
import { demandAfter, type CallDemands, type SeenDemand } from "../load/call-network.ts";
import { concurrencySeries, type ConcurrencyPoint, type ConcurrencySeries } from "../load/concurrency-series.ts";
import type { LoadSeries } from "../load/load-series.ts";
import type { MeasuredArms } from "../metrics/garbage.ts";
import type { Metric, Summary } from "../metrics/summary.ts";
import type { Arm } from "../run/run-facts.ts";

/**
 * Callers of one cell, by Little's law: calls that are under way on average if each takes what it takes alone. N R / (Z + R') of N callers who
 * think for Z, with R alone and R' as it was predicted, and as it was measured.
 */
export interface Passage {
  readonly callers: number;
  readonly askedAtOnce: number;
  readonly throughAtOnce: number;
}

export function asksForMore({ askedAtOnce }: Pick<Passage, "askedAtOnce">, ceiling: number): boolean {
  return askedAtOnce >= (1 + thresholds.band) * ceiling;
}

/**
 * The most calls that get through at a time in any cell, if that is a limit: there are cells that ask for more, with different numbers of callers,
 * and all of them get as many. Null where there is no limit.
 */
export function ceilingOf(series: readonly Passage[]): number | null {
  const ceiling = max(series, ({ throughAtOnce }) => throughAtOnce) ?? 0;
  const asking = series.filter((cell) => asksForMore(cell, ceiling));
  const isOfMany = asking.length >= thresholds.ceilingCells && new Set(asking.map(({ callers }) => callers)).size > 1;
  const isOne = asking.every(({ throughAtOnce }) => throughAtOnce >= (1 - thresholds.ceilingSpread) * ceiling);
  return isOfMany && isOne ? ceiling : null;
}

/** A cell beside its prediction. */
export interface ModelCell extends Omit<Anomaly, "evidence" | "causes" | "ratio" | "look"> {
  /** The single caller whose demands are the model's input; null for models without one. */
  readonly alone: Arm | null;
  /** The row of a model of round trips; null for other models. */
  readonly roundTrips: RoundTrips | null;
  /** Calls in flight in a closed loop; null elsewhere. */
  readonly passage: Passage | null;
  /** CPU time per call of a single caller after a rest as long as here, in ms; null if unknown. */
  readonly demands: Pick<CallDemands, "clientMs" | "serverMs"> | null;
}

const notClosed = { passage: null, demands: null } as const;

/** Measured arms with the predictions of models. */
export interface Predicted extends MeasuredArms {
  /** Response times over rates of arrival beside those of models; empty unless something was measured at a rate and by one caller alone. */
  readonly loadSeries: readonly LoadSeries[];
  /** Empty unless something was measured at two distances or more. */
  readonly roundTrips: readonly RoundTrips[];
}

type LatencyOf = (armId: string) => Summary | undefined;

/** `hello over REST`. */
function workName({ task, title }: Pick<Arm, "task" | "title">): string {
  return `${task.replaceAll("-", " ")} over ${title}`;
}

const paceFactors = new Set(["callers", "thinkMs", "thinkTime", "arrivals", "rateHz"]);

/** The factors in which the call differs from others of its study: `, packets: 3`. */
function callName(
  { study, task, factors, settingDefaults = {} }: Arm,
  others: readonly { readonly alone: Arm }[],
): string {
  const beside = others.filter(({ alone }) => alone.study === study && alone.task === task);
  const distinguishing = Object.entries(factors).filter(
    ([name, value]) =>
      !paceFactors.has(name) &&
      settingDefaults[name] === undefined &&
      beside.some(({ alone }) => alone.factors[name] !== value),
  );
  return distinguishing.map(([name, value]) => `, ${name}: ${String(value)}`).join("");
}

/** N callers leave a processor a rest of (Z + R) / N − D, from measured values. */
function demandsHere(
  { demands, seen }: ConcurrencySeries,
  { armId, callers, thinkMs, measuredMs }: ConcurrencyPoint,
  { summaries }: Predicted,
): ModelCell["demands"] {
  const demandFor = (of: readonly SeenDemand[], metric: Metric, aloneMs: number): number => {
    const takenMs = summaries.find((row) => row.armId === armId && row.metric === metric)?.mean ?? aloneMs;
    return demandAfter(of, (thinkMs + (measuredMs ?? demands.roundTripMs)) / callers - takenMs);
  };
  return {
    clientMs: demandFor(seen.client, "clientCpuMsPerTask", demands.clientMs),
    serverMs: demandFor(seen.server, "serverCpuMsPerTask", demands.serverMs),
  };
}

function closedCells(measured: Predicted, latencyOf: LatencyOf): readonly ModelCell[] {
  const series = concurrencySeries(measured);
  return series.flatMap((one) => {
    const { study, alone, points } = one;
    const aloneMs = one.demands.roundTripMs;
    return points.flatMap((point): ModelCell | readonly ModelCell[] => {
      const { armId, callers, thinkMs, measuredMs, predictedMs, isFed } = point;
      const { meanLow, meanHigh } = latencyOf(armId) ?? {};
      if (isFed || measuredMs === null || typeof meanLow !== "number" || typeof meanHigh !== "number") return [];
      const thinking = thinkMs === 0 ? "who do not think" : `who think ${durationText(thinkMs)}`;
      const who =
        callers === 1 ? `one caller ${thinking.replace("who think", "who thinks")}` : `${callers} callers ${thinking}`;
      return {
        armIds: [armId],
        study,
        name: `${workName(alone)}${callName(alone, series)}, ${who}`,
        model: "mean value analysis",
        unit: "ms",
        measured: measuredMs,
        low: meanLow,
        high: meanHigh,
        predictedLeast: predictedMs,
        predictedMost: predictedMs,
        alone,
        roundTrips: null,
        passage: {
          callers,
          askedAtOnce: (callers * aloneMs) / (thinkMs + predictedMs),
          throughAtOnce: (callers * aloneMs) / (thinkMs + measuredMs),
        },
        demands: demandsHere(one, point, measured),
      };
    });
  });
}

/** Cells close to capacity are left out: there, an error of a few per cent in the demand moves a prediction by more than the band. */
function openCells({ loadSeries }: Predicted): readonly ModelCell[] {
  return loadSeries.flatMap(({ study, alone, points }) =>
    points.flatMap(
      ({ armId, rateHz, responseMs, low, high, offered, predicted, replayedMs }): ModelCell | readonly ModelCell[] => {
        if (responseMs === null || low === null || high === null || offered >= thresholds.busy) return [];
        const distinguishing = [predicted.mm1Ms, predicted.mg1Ms, predicted.mmcMs, replayedMs].flatMap((ms) =>
          ms !== null && Number.isFinite(ms) ? [ms] : [],
        );
        return {
          armIds: [armId],
          study,
          name: `${workName(alone)}${callName(alone, loadSeries)}, ${rateHz.toLocaleString("en-US")} a second`,
          model: "open queue",
          unit: "ms",
          measured: responseMs,
          low,
          high,
          predictedLeast: Math.min(...distinguishing),
          predictedMost: Math.max(...distinguishing),
          alone,
          roundTrips: null,
          ...notClosed,
        };
      },
    ),
  );
}

function distanceCells({ roundTrips }: Predicted): readonly ModelCell[] {
  return roundTrips.flatMap((row): ModelCell | readonly ModelCell[] => {
    const { armIds, study, isFirstCall, variant, perCall, low, high, predicted, predictedMost } = row;
    if (low === null || high === null) return [];
    const way = ["single", "facade"].includes(variant) ? "" : `, ${variant},`;
    return {
      armIds,
      study,
      name: `${isFirstCall ? "the first " : ""}${row.task}${way} over ${row.title}`,
      model: "round trips",
      unit: "round trips",
      measured: perCall,
      low,
      high,
      predictedLeast: predicted,
      predictedMost,
      alone: null,
      roundTrips: row,
      ...notClosed,
    };
  });
}

/** In the order of the run, model by model, without cells that have no interval. */
export function modelCells(measured: Predicted): readonly ModelCell[] {
  const latencies = new Map(
    measured.summaries.filter(({ metric }) => metric === "latencyMs").map((row) => [row.armId, row]),
  );
  return [
    ...closedCells(measured, (armId) => latencies.get(armId)),
    ...openCells(measured),
    ...distanceCells(measured),
  ];
}

/** Whether the prediction is outside the band around the measured value, and outside its interval. */
export function isOutside(cell: ModelCell): boolean {
  if (cell.roundTrips !== null) return !cell.roundTrips.asPredicted;
  const { measured, low, high, predictedLeast, predictedMost } = cell;
  if (measured > predictedMost * (1 + thresholds.band)) return low > predictedMost;
  return measured < predictedLeast * (1 - thresholds.band) && high < predictedLeast;
}
