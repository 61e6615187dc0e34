// Everything for which a model has a number and the run one with an interval: what can be held against each other, in one form for all models.
import { concurrencySeries } from "../load/concurrency-series.ts";
import type { Analysis, RoundTrips } from "../result.ts";
import type { Summary } from "../summary.ts";
import type { Arm } from "../run.ts";
import { durationText } from "../words.ts";
import type { Anomaly } from "./anomaly.ts";
import { thresholds } from "./thresholds.ts";

/** A cell beside its prediction. */
export interface ModelCell extends Omit<Anomaly, "evidence" | "causes" | "ratio" | "look"> {
  /** The caller whom the model was fed with; null where the model was fed with none. */
  readonly alone: Arm | null;
  /** The row that it is, of a model of round trips. */
  readonly roundTrips: RoundTrips | null;
}

export type Predicted = Pick<Analysis, "arms" | "summaries" | "distributions" | "loadSeries" | "roundTrips">;

type LatencyOf = (armId: string) => Summary | undefined;

/** `hello over REST`, `6 packets`-like factors left to what comes after it. */
function workName({ task, title }: Pick<Arm, "task" | "title">): string {
  return `${task.replaceAll("-", " ")} over ${title}`;
}

const paceFactors = new Set(["callers", "thinkMs", "thinkTime", "arrivals", "rateHz"]);

/** Factors that say what is called, those that tell it from other calls of its study: `, packets: 3`. */
function callName(
  { study, task, factors, settingDefaults = {} }: Arm,
  others: readonly { readonly alone: Arm }[],
): string {
  const beside = others.filter(({ alone }) => alone.study === study && alone.task === task);
  const told = Object.entries(factors).filter(
    ([name, value]) =>
      !paceFactors.has(name) &&
      settingDefaults[name] === undefined &&
      beside.some(({ alone }) => alone.factors[name] !== value),
  );
  return told.map(([name, value]) => `, ${name}: ${String(value)}`).join("");
}

function closedCells(measured: Predicted, latencyOf: LatencyOf): readonly ModelCell[] {
  const series = concurrencySeries(measured);
  return series.flatMap(({ study, alone, points }) =>
    points.flatMap(({ armId, callers, thinkMs, measuredMs, predictedMs, isFed }): readonly ModelCell[] => {
      const { meanLow, meanHigh } = latencyOf(armId) ?? {};
      if (isFed || measuredMs === null || typeof meanLow !== "number" || typeof meanHigh !== "number") return [];
      const thinking = thinkMs === 0 ? "who do not think" : `who think ${durationText(thinkMs)}`;
      const who =
        callers === 1 ? `one caller ${thinking.replace("who think", "who thinks")}` : `${callers} callers ${thinking}`;
      return [
        {
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
        },
      ];
    }),
  );
}

/** Close to capacity, a demand that is a few per cent off moves a prediction by more than the band: there nothing is held against it. */
function openCells({ loadSeries }: Predicted): readonly ModelCell[] {
  return loadSeries.flatMap(({ study, alone, points }) =>
    points.flatMap(({ armId, rateHz, responseMs, low, high, offered, predicted, replayedMs }): readonly ModelCell[] => {
      if (responseMs === null || low === null || high === null || offered >= thresholds.busy) return [];
      const told = [predicted.mm1Ms, predicted.mg1Ms, predicted.mmcMs, replayedMs].flatMap((ms) =>
        ms !== null && Number.isFinite(ms) ? [ms] : [],
      );
      return [
        {
          armIds: [armId],
          study,
          name: `${workName(alone)}${callName(alone, loadSeries)}, ${rateHz.toLocaleString("en-US")} a second`,
          model: "open queue",
          unit: "ms",
          measured: responseMs,
          low,
          high,
          predictedLeast: Math.min(...told),
          predictedMost: Math.max(...told),
          alone,
          roundTrips: null,
        },
      ];
    }),
  );
}

function distanceCells({ roundTrips }: Predicted): readonly ModelCell[] {
  return roundTrips.flatMap((row): readonly ModelCell[] => {
    const { armIds, study, isFirstCall, variant, perCall, low, high, predicted, predictedMost } = row;
    if (low === null || high === null) return [];
    const way = ["single", "facade"].includes(variant) ? "" : `, ${variant},`;
    return [
      {
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
      },
    ];
  });
}

/** In the order of the run, model by model. A cell without an interval is none: nothing is said to differ. */
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

/** Whether the cell is outside its model: by more than the stated band, and beyond its own interval. */
export function isOutside(cell: ModelCell): boolean {
  if (cell.roundTrips !== null) return !cell.roundTrips.asPredicted;
  const { measured, low, high, predictedLeast, predictedMost } = cell;
  if (measured > predictedMost * (1 + thresholds.band)) return low > predictedMost;
  return measured < predictedLeast * (1 - thresholds.band) && high < predictedLeast;
}
