// Tests a published finding by series of load or of waiting, beside their models: each cell has the interval of what was measured, or simulated.
import { mean, median } from "d3-array";
import type { PublishedRow, SeriesTest } from "@roundtrip/runs";
import type { Analysis } from "../analyse/analyse.ts";
import { callersPrediction } from "../load/call-network.ts";
import { concurrencySeries, type ConcurrencyPoint, type ConcurrencySeries } from "../load/concurrency-series.ts";
import { readClosedNetwork, type ClosedNetwork } from "../models/closed-network.ts";
import { exactMva } from "../models/exact-mva.ts";
import { simulate, simulatedNetwork } from "../models/simulation/simulate.ts";
import { summaryFinder } from "../metrics/summarise.ts";
import { tInterval } from "../statistics/student-t.ts";
import {
  judgedCells,
  propertiesOf,
  ratioCells,
  roundsRatio,
  type JudgedArms,
  type TestedCell,
  type Value,
} from "./arm-tests.ts";

type Kind = SeriesTest["kind"];
type TestOf<K extends Kind> = Extract<SeriesTest, { kind: K }>;
/** Empty where the study did not measure it. */
type Cells<K extends Kind> = (analysis: Analysis, study: string, test: TestOf<K>) => readonly TestedCell[];

function within(share: number): Pick<TestedCell, "atLeast" | "atMost"> {
  return { atLeast: 1 - share, atMost: 1 + share };
}

/** The highest rate of at most `upTo` of a capacity, or the lowest of at least `from`, against the lowest rate of the series. */
const responseOverLoad: Cells<"response-over-load"> = (analysis, study, { upTo, from, ...limits }) => {
  const all = analysis.loadSeries.filter((series) => series.study === study);
  return all.flatMap(({ points }) => {
    const [lowest, ...others] = points.filter(({ responseMs }) => responseMs !== null);
    const chosen =
      upTo === undefined
        ? others.find(({ offered }) => offered >= (from ?? 0))
        : others.findLast(({ offered }) => offered <= upTo);
    if (lowest === undefined || chosen === undefined) return [];
    const [of, to] = [{ rateHz: chosen.rateHz }, { rateHz: lowest.rateHz }];
    const arms = analysis.arms.filter(({ id }) => id === chosen.armId || id === lowest.armId);
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limits;
    return ratioCells({ ...analysis, arms }, { of, to }, { atLeast, atMost }, all.length);
  });
};

/** The mean of rounds over a figure; null without rounds. Intervals of `family` ratios hold together. */
function meanRatio(roundMeans: readonly number[], to: number, family: number): Value | null {
  const shares = roundMeans.map((value) => value / to);
  const value = mean(shares);
  const interval = tInterval(shares, 1 - 0.05 / family);
  return value === undefined
    ? null
    : { value, low: interval?.low ?? null, high: interval?.high ?? null, isTogether: true };
}

/**
 * Measured over the prediction of a queue, at every rate that one server carries. Intervals hold together. A prediction for the long run is one of a
 * mean, which counts as exact; a replay is of each round's own arrivals.
 */
const queueAgrees: Cells<"queue-agrees"> = (analysis, study, { model, within: share }) => {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const find = summaryFinder(analysis.summaries);
  const points = analysis.loadSeries
    .filter((series) => series.study === study)
    .flatMap((series) => series.points)
    .filter(({ offered, responseMs }) => offered < 1 && responseMs !== null);
  const predicted = points.flatMap(({ armId, replayedBlocksMs, predicted: { wholeMs, mm1Ms } }) => {
    const [arm, roundMeans] = [arms.get(armId), find(armId, "latencyMs")?.roundMeans ?? []];
    const longRunMs = model === "response" ? wholeMs : mm1Ms;
    if (arm === undefined || (model !== "arrivals" && longRunMs === null)) return [];
    return [{ arm, roundMeans, longRunMs, replayedBlocksMs }];
  });
  return predicted.flatMap(({ arm, roundMeans, longRunMs, replayedBlocksMs }): readonly TestedCell[] => {
    const ratio =
      model === "arrivals" || longRunMs === null
        ? roundsRatio(roundMeans, replayedBlocksMs, predicted.length)
        : meanRatio(roundMeans, longRunMs, predicted.length);
    return ratio === null ? [] : [{ ...ratio, ...within(share), pair: null, common: propertiesOf(arm) }];
  });
};

interface PredictedCell {
  readonly predictedMs: number;
  readonly roundMeansMs: readonly number[];
}

/** The median absolute error of predictions, over what was measured in all rounds, or in all but one. */
function medianError(cells: readonly PredictedCell[], without = -1): number {
  const errors = cells.map(({ predictedMs, roundMeansMs }) => {
    const measuredMs = mean(roundMeansMs.filter((_, round) => round !== without)) ?? Number.NaN;
    return Math.abs(predictedMs / measuredMs - 1);
  });
  return median(errors) ?? Number.NaN;
}

/** Over all cells of a stack. The interval is the jackknife's over rounds (R. G. Miller, "The Jackknife – a Review", Biometrika 61, 1974). */
const modelAgrees: Cells<"model-agrees"> = (analysis, study, { atMost }) => {
  const find = summaryFinder(analysis.summaries);
  const ofStudy = concurrencySeries(analysis).filter((series) => series.study === study);
  return [...Map.groupBy(ofStudy, ({ alone }) => alone.title).values()].flatMap((ofStack): readonly TestedCell[] => {
    const cells = ofStack.flatMap(({ points }) =>
      points.flatMap(({ armId, predictedMs, error, isModelInput }) =>
        isModelInput || error === null
          ? []
          : [{ predictedMs, roundMeansMs: find(armId, "latencyMs")?.roundMeans ?? [] }],
      ),
    );
    const [first] = ofStack;
    if (first === undefined || cells.length === 0) return [];
    const value = medianError(cells);
    const rounds = analysis.rounds.complete;
    const isWhole = cells.every(({ roundMeansMs }) => roundMeansMs.length === rounds);
    const pseudo = Array.from({ length: isWhole ? rounds : 0 }, (_, round) =>
      rounds < 2 ? value : rounds * value - (rounds - 1) * medianError(cells, round),
    );
    const interval = tInterval(pseudo);
    // Around the median itself: the pseudo-values would correct its bias, which more rounds must do.
    const reach = interval && (interval.high - interval.low) / 2;
    const common = { style: first.alone.style, cells: cells.length };
    const [low, high] = reach === null ? [null, null] : [Math.max(0, value - reach), value + reach];
    return [{ value, low, high, atLeast: 0, atMost, pair: null, common }];
  });
};

/** Enough for an interval of a few per cent. */
const simulated = { seed: 7, roundTrips: 10_000 } as const;

function simulationCell(
  network: ClosedNetwork,
  predictedMs: number,
  share: number,
  common: TestedCell["common"],
): TestedCell {
  const { responseMs, responseLowMs, responseHighMs } = simulate(simulatedNetwork(network), simulated);
  const over = (ms: number | null): number | null => ms && ms / predictedMs;
  const interval = { low: over(responseLowMs), high: over(responseHighMs) };
  return { value: responseMs / predictedMs, ...interval, ...within(share), pair: null, common };
}

/** The network with the demands at its load. */
function networkOf(
  { demands, seen, garbage }: ConcurrencySeries,
  { callers, thinkMs }: ConcurrencyPoint,
): ClosedNetwork {
  const solved: ClosedNetwork[] = [];
  callersPrediction({ alone: demands, ...seen, garbage }, { population: callers, thinkMs }, (network) => {
    solved[0] = network;
    return exactMva(network);
  });
  return solved[0] as ClosedNetwork;
}

/** Simulated over predicted, with the demands of one caller here. Callers who work while they think are no part of what was published. */
const simulationAgrees: Cells<"simulation-agrees"> = (analysis, study, { within: share }) => {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  return concurrencySeries(analysis)
    .filter((series) => series.study === study)
    .flatMap((series) =>
      series.points
        .filter(({ isModelInput, isWork }) => !isModelInput && !isWork)
        .map((point) => {
          const arm = arms.get(point.armId) ?? series.alone;
          return simulationCell(networkOf(series, point), point.predictedMs, share, propertiesOf(arm));
        }),
    );
};

const tests: { readonly [K in Kind]: Cells<K> } = {
  "response-over-load": responseOverLoad,
  "queue-agrees": queueAgrees,
  "model-agrees": modelAgrees,
  "simulation-agrees": simulationAgrees,
};

export function isOfSeries(test: { readonly kind: string }): test is SeriesTest {
  return Object.hasOwn(tests, test.kind);
}

/** Null without a cell. */
export function judgedSeries<K extends Kind>(
  analysis: Analysis,
  study: string,
  test: TestOf<K> & { readonly kind: K },
): JudgedArms | null {
  return judgedCells(tests[test.kind](analysis, study, test));
}

/** The same of the published rows, which a simulation can judge where their source has the demands of its model. Null for other tests. */
export function judgedRows(rows: readonly PublishedRow[], test: SeriesTest): JudgedArms | null {
  if (test.kind !== "simulation-agrees") return null;
  return judgedCells(
    rows.flatMap(({ network, predictedMs, label, printed }) =>
      network === undefined || typeof predictedMs !== "number"
        ? []
        : [simulationCell(readClosedNetwork(network), predictedMs, test.within, { variant: label, ...printed })],
    ),
  );
}
