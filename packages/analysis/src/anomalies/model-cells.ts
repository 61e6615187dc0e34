// Cells with a prediction and a measured interval, in one form for all models.
import { max } from "d3-array";
import type { Anomaly } from "./causes.ts";
import { thresholds } from "../basics/thresholds.ts";
import { durationText } from "../basics/words.ts";
import type { RoundTrips } from "../distance/round-trips.ts";
import { demandAfter, type CallDemands, type DemandAfterRest } from "../load/call-network.ts";
import { concurrencySeries, type ConcurrencyPoint, type ConcurrencySeries } from "../load/concurrency-series.ts";
import type { LoadSeries } from "../load/load-series.ts";
import type { MeasuredArms } from "../metrics/garbage.ts";
import { summaryFinder, type Metric, type SummaryOf } from "../metrics/summarise.ts";
import type { Arm } from "@roundtrip/runs";

/** Calls in flight by Little's law: N R / (Z + R') of N callers with think time Z and latency R alone. R' is predicted or measured. */
export interface InFlight {
  readonly callers: number;
  readonly predicted: number;
  readonly measured: number;
}

export function asksForMore({ predicted }: Pick<InFlight, "predicted">, ceiling: number): boolean {
  return predicted >= (1 + thresholds.band) * ceiling;
}

/** Returns the most calls in flight of any cell if several cells demand more, with different callers, and reach about the same. Otherwise null. */
export function ceilingOf(series: readonly InFlight[]): number | null {
  const ceiling = max(series, ({ measured }) => measured) ?? 0;
  const asking = series.filter((cell) => asksForMore(cell, ceiling));
  const isOfMany = asking.length >= thresholds.ceilingCells && new Set(asking.map(({ callers }) => callers)).size > 1;
  const isOne = asking.every(({ measured }) => measured >= (1 - thresholds.ceilingSpread) * ceiling);
  return isOfMany && isOne ? ceiling : null;
}

export interface ModelCell extends Omit<Anomaly, "evidence" | "causes" | "ratio" | "look"> {
  /** The single caller whose demands are the model's input; null for models without one. */
  readonly alone: Arm | null;
  /** The row of a round-trip model; null for other models. */
  readonly roundTrips: RoundTrips | null;
  /** Calls in flight in a closed loop; otherwise null. */
  readonly inFlight: InFlight | null;
  /** CPU time per call of a single caller after an equal rest, in milliseconds; null if unknown. */
  readonly demands: Pick<CallDemands, "clientMs" | "serverMs"> | null;
}

const notClosed = { inFlight: null, demands: null } as const;

export interface Predicted extends MeasuredArms {
  /** Response times by arrival rate beside the models; empty unless rates and a single caller were measured. */
  readonly loadSeries: readonly LoadSeries[];
  /** Empty without two distances. */
  readonly roundTrips: readonly RoundTrips[];
}

function workName({ task, title }: Pick<Arm, "task" | "title">): string {
  return `${task.replaceAll("-", " ")} over ${title}`;
}

const paceFactors = new Set(["callers", "thinkMs", "thinkTime", "arrivals", "rateHz"]);

/** The factors that distinguish the call from others of its study: `, packets: 3`. */
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
  const demandFor = (of: readonly DemandAfterRest[], metric: Metric, aloneMs: number): number => {
    const takenMs = summaries.find((row) => row.armId === armId && row.metric === metric)?.mean ?? aloneMs;
    return demandAfter(of, (thinkMs + (measuredMs ?? demands.roundTripMs)) / callers - takenMs);
  };
  return {
    clientMs: demandFor(seen.client, "clientCpuMsPerTask", demands.clientMs),
    serverMs: demandFor(seen.server, "serverCpuMsPerTask", demands.serverMs),
  };
}

function closedCells(measured: Predicted, find: SummaryOf): readonly ModelCell[] {
  const series = concurrencySeries(measured);
  return series.flatMap((one) => {
    const { study, alone, points } = one;
    const aloneMs = one.demands.roundTripMs;
    return points.flatMap((point): ModelCell | readonly ModelCell[] => {
      const { armId, callers, thinkMs, measuredMs, predictedMs, isModelInput } = point;
      const { meanLow, meanHigh } = find(armId, "latencyMs") ?? {};
      if (isModelInput || measuredMs === null || typeof meanLow !== "number" || typeof meanHigh !== "number") return [];
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
        inFlight: {
          callers,
          predicted: (callers * aloneMs) / (thinkMs + predictedMs),
          measured: (callers * aloneMs) / (thinkMs + measuredMs),
        },
        demands: demandsHere(one, point, measured),
      };
    });
  });
}

/** Leaves out cells close to capacity: there, a few per cent error in the demand moves a prediction by more than the band. */
function openCells({ loadSeries }: Predicted): readonly ModelCell[] {
  return loadSeries.flatMap(({ study, alone, points }) =>
    points.flatMap(
      ({ armId, rateHz, responseMs, low, high, offered, predicted, replayedMs }): ModelCell | readonly ModelCell[] => {
        if (responseMs === null || low === null || high === null || offered >= thresholds.busy) return [];
        const distinguishing = [predicted.mm1Ms, predicted.mmcMs, replayedMs].flatMap((ms) =>
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
    const named = ["single", "facade"].includes(variant) ? "" : `, ${variant},`;
    return {
      armIds,
      study,
      name: `${isFirstCall ? "the first " : ""}${row.task}${named} over ${row.title}`,
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

/** In the order of the run, by model, without cells that have no interval. */
export function modelCells(measured: Predicted): readonly ModelCell[] {
  const find = summaryFinder(measured.summaries);
  return [...closedCells(measured, find), ...openCells(measured), ...distanceCells(measured)];
}

/** Whether the prediction is outside the band around the measured value, and outside its interval. */
export function isOutside(cell: ModelCell): boolean {
  if (cell.roundTrips !== null) return !cell.roundTrips.asPredicted;
  const { measured, low, high, predictedLeast, predictedMost } = cell;
  if (measured > predictedMost * (1 + thresholds.band)) return low > predictedMost;
  return measured < predictedLeast * (1 - thresholds.band) && high < predictedLeast;
}
