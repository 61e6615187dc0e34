// Checks findings of published studies in a run. In words, because machines differ by decades and only shapes are comparable.
import { concurrencySeries, listed, predictionErrors, threeDigits, type LoadSeries } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { headlineSeries, rateText, seriesTitle } from "../rows/load-rows.ts";
import type { ReportInput } from "../view/report-input.ts";

interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  /** Whether the run agrees with the publication; null where the reader has to judge. */
  readonly isAlike: boolean | null;
}

/** Returns what one study of a run shows; null where it did not measure it. */
export type Judge = (input: ReportInput, study: string) => Shown | null;

/** Multiple of a single caller's latency at which a curve has its knee. */
const kneeAt = 3;
/** Well below capacity a queue of constant work is short; well above it, the queue grows during the whole measurement. */
const [lightly, overloaded] = [0.7, 1.3];

function seriesOf({ analysis }: ReportInput, study: string): readonly LoadSeries[] {
  return analysis.loadSeries.filter((series) => series.study === study);
}

export const responseExplodes: Judge = (input, study) => {
  const ends = seriesOf(input, study).flatMap((series) => {
    const kept = series.points.flatMap(({ offered, responseMs }) =>
      responseMs === null ? [] : [{ offered, responseMs }],
    );
    const below = kept.findLast(({ offered }) => offered <= lightly);
    const above = kept.find(({ offered }) => offered >= overloaded);
    return below === undefined || above === undefined ? [] : [{ series, below, above }];
  });
  if (ends.length === 0) return null;
  const unit = timeUnitFor(ends.flatMap(({ below, above }) => [below.responseMs, above.responseMs]));
  const at = ({ offered, responseMs }: (typeof ends)[number]["below"]): string =>
    `${duration(responseMs, unit)} ${unit.symbol} at ${threeDigits(100 * offered)} %`;
  const each = ends.map(({ series, below, above }) => `${seriesTitle(input, series)}: ${at(below)}, ${at(above)}`);
  return {
    here: `of what one processor can do, ${each.join("; ")}`,
    isAlike: ends.every(
      ({ series, below, above }) =>
        below.responseMs < kneeAt * series.demand.responseMs && above.responseMs > kneeAt * series.demand.responseMs,
    ),
  };
};

function kneeHz({ points, demand }: LoadSeries): number | null {
  const end = points.findIndex(({ responseMs }) => responseMs === null || responseMs >= kneeAt * demand.responseMs);
  return points[(end === -1 ? points.length : end) - 1]?.rateHz ?? null;
}

export const kneeMoves: Judge = (input, study) => {
  const knees = seriesOf(input, study).map((series) => ({ series, rateHz: kneeHz(series) }));
  if (knees.length === 0) return null;
  const each = knees.map(
    ({ series, rateHz }) =>
      `${seriesTitle(input, series)} ${rateHz === null ? "at no rate that was measured" : `up to ${rateText(rateHz)}`}`,
  );
  return { here: `calls took less than ${kneeAt} times as long as alone over ${listed(each)}`, isAlike: null };
};

/** Service and transport time at the ends of a sweep over the exponent. */
export const workGrows: Judge = ({ analysis }, study) => {
  const meanOf = new Map(analysis.summaries.map(({ armId, metric, mean }) => [`${armId} ${metric}`, mean]));
  const arms = analysis.arms.filter((arm) => arm.study === study && typeof arm.factors["exponent"] === "number");
  const ends = [...Map.groupBy(arms, configurationOf).values()].flatMap((ofStack) => {
    const title = ofStack[0]?.title ?? "";
    const known = ofStack
      .flatMap(({ id, factors }) => {
        const [serviceMs, transportMs] = [meanOf.get(`${id} serviceMs`), meanOf.get(`${id} transportMs`)];
        const exponent = Number(factors["exponent"]);
        return serviceMs === undefined || transportMs === undefined ? [] : [{ exponent, serviceMs, transportMs }];
      })
      .toSorted((one, other) => one.exponent - other.exponent);
    const [first, last] = [known[0], known.at(-1)];
    return first === undefined || last === undefined || first === last ? [] : [{ title, first, last }];
  });
  if (ends.length === 0) return null;
  const each = ends.map(
    ({ title, first, last }) =>
      `${threeDigits(last.serviceMs / first.serviceMs)} and ${threeDigits(last.transportMs / first.transportMs)} times over ${title}`,
  );
  const [{ first, last }] = ends as [(typeof ends)[number]];
  return {
    here: `from exponent ${first.exponent} to ${last.exponent.toLocaleString("en-US")}, ${threeDigits(last.exponent / first.exponent)} times as much, service and transport grew to ${listed(each)}`,
    isAlike: null,
  };
};

/** The most callers, without think time and with the longest, by stack. */
export const thinkingShortens: Judge = ({ analysis }, study) => {
  const series = headlineSeries(concurrencySeries(analysis).filter((one) => one.study === study));
  const ends = series.flatMap(({ alone, points }) => {
    const most = Math.max(...points.map(({ callers }) => callers));
    const kept = points.flatMap(({ callers, thinkMs, measuredMs }) =>
      callers === most && measuredMs !== null ? [{ thinkMs, measuredMs }] : [],
    );
    const [first, last] = [kept[0], kept.at(-1)];
    return first === undefined || last === undefined || first === last ? [] : [{ alone, most, first, last }];
  });
  if (ends.length === 0) return null;
  const unit = timeUnitFor(ends.flatMap(({ first, last }) => [first.measuredMs, last.measuredMs]));
  const each = ends.map(
    ({ alone, most, first, last }) =>
      `${alone.title} with ${most} callers from ${duration(first.measuredMs, unit)} ${unit.symbol} at ${first.thinkMs} ms to ${duration(last.measuredMs, unit)} ${unit.symbol} at ${last.thinkMs} ms of thinking`,
  );
  return {
    here: `round trips went over ${listed(each)}`,
    isAlike: ends.every(({ first, last }) => last.measuredMs < first.measuredMs),
  };
};

export const modelPredicts: Judge = ({ analysis }, study) => {
  const flagged = new Set(analysis.anomalies.flatMap(({ armIds }) => armIds));
  const stacks = predictionErrors(
    concurrencySeries(analysis).filter((one) => one.study === study),
    flagged,
  );
  if (stacks.length === 0) return null;
  const each = stacks.map(
    ({ title, median, largest }) =>
      `${threeDigits(100 * median)} % over ${title} (largest ${threeDigits(100 * largest)} %)`,
  );
  return { here: `the median of absolute errors was ${listed(each)}`, isAlike: null };
};
