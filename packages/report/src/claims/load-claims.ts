// What the study of 2015 found of a server under Poisson arrivals, looked for in a run.
import { configurationOf, listed, threeDigits, type LoadSeries } from "@roundtrip/analysis";
import type { ReportInput } from "../view/report-input.ts";
import { rateText, seriesTitle } from "../rows/load-rows.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { Judge } from "./claim.ts";

/** Calls take so many times as long as a lone caller's: what a reader of a curve calls its knee lies where it leaves this behind. */
const kneeAt = 3;
/** Well below capacity a queue of constant work is short, well above it grows for as long as one measures. */
const [lightly, overloaded] = [0.7, 1.3];

function seriesOf({ analysis }: ReportInput, study: string): readonly LoadSeries[] {
  return analysis.loadSeries.filter((series) => series.study === study);
}

/** Response times well below and well above what one processor can do. */
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

/** The highest rate up to which calls take less than three times as long as those of a lone caller. */
function kneeHz({ points, demand }: LoadSeries): number | null {
  const end = points.findIndex(({ responseMs }) => responseMs === null || responseMs >= kneeAt * demand.responseMs);
  return points[(end === -1 ? points.length : end) - 1]?.rateHz ?? null;
}

/** Where the curves of a study's series turn upwards. */
export const kneeMoves: Judge = (input, study) => {
  const knees = seriesOf(input, study).map((series) => ({ series, rateHz: kneeHz(series) }));
  if (knees.length === 0) return null;
  const each = knees.map(
    ({ series, rateHz }) =>
      `${seriesTitle(input, series)} ${rateHz === null ? "at no rate that was measured" : `up to ${rateText(rateHz)}`}`,
  );
  return { here: `calls took less than ${kneeAt} times as long as alone over ${listed(each)}`, isAlike: null };
};

/** Time of the work, and of the way there and back, at the ends of a sweep over the exponent. */
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
