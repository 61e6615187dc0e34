// Tests a published finding by series of load or of waiting, beside their models: each cell has the interval of what was measured, or simulated.
import { mean, median } from "d3-array";
import type { PublishedRow, SeriesTest } from "@roundtrip/runs";
import type { Analysis } from "../analyse/analyse.ts";
import { callersPrediction } from "../load/call-network.ts";
import { concurrencySeries, type ConcurrencyPoint, type ConcurrencySeries } from "../load/concurrency-series.ts";
import { readClosedNetwork, type ClosedNetwork } from "../models/closed-network.ts";
import { exactMva } from "../models/exact-mva.ts";
import { simulate, simulatedNetwork } from "../models/simulation/simulate.ts";
import { tInterval } from "../statistics/student-t.ts";
import { judgedCells, propertiesOf, ratioCells, type JudgedArms, type TestedCell } from "./arm-tests.ts";

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

/** Measured over 1 / (μ − λ), at every rate that one server carries. */
const queueAgrees: Cells<"queue-agrees"> = (analysis, study, { within: share }) => {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  return analysis.loadSeries
    .filter((series) => series.study === study)
    .flatMap(({ points }) => points)
    .flatMap(({ armId, responseMs, low, high, predicted: { wholeMs } }): readonly TestedCell[] => {
      const arm = arms.get(armId);
      if (arm === undefined || responseMs === null || wholeMs === null) return [];
      const over = (ms: number | null): number | null => ms && ms / wholeMs;
      const place = { pair: null, common: propertiesOf(arm) };
      return [{ value: responseMs / wholeMs, low: over(low), high: over(high), ...within(share), ...place }];
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
  const roundsOf = new Map(analysis.distributions.map(({ armId, roundMeansMs }) => [armId, roundMeansMs]));
  const ofStudy = concurrencySeries(analysis).filter((series) => series.study === study);
  return [...Map.groupBy(ofStudy, ({ alone }) => alone.title).values()].flatMap((ofStack): readonly TestedCell[] => {
    const cells = ofStack.flatMap(({ points }) =>
      points.flatMap(({ armId, predictedMs, error, isModelInput }) =>
        isModelInput || error === null ? [] : [{ predictedMs, roundMeansMs: roundsOf.get(armId) ?? [] }],
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
