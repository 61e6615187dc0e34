// Checks findings of published studies in a run. In words, because machines differ by decades and only shapes are comparable.
import { concurrencySeries, listed, threeDigits, type LoadSeries } from "@roundtrip/analysis";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { headlineSeries, rateText, seriesTitle } from "../rows/load-rows.ts";
import type { ArmTest, PublishedClaim, PublishedFigures, SeriesTest } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { judgedArms, type Shown } from "./arm-tests.ts";

/** Returns what one study of a run shows; null where it did not measure it. */
type Judge = (input: ReportInput, study: string) => Shown | null;

function verdictOf(holds: boolean): Shown["verdict"] {
  return holds ? "holds" : "does not hold";
}

/** Multiple of a single caller's latency at which a curve has its knee. */
const kneeAt = 3;
/** Well below capacity a queue of constant work is short; well above it, the queue grows during the whole measurement. */
const [lightly, overloaded] = [0.7, 1.3];

function seriesOf({ analysis }: ReportInput, study: string): readonly LoadSeries[] {
  return analysis.loadSeries.filter((series) => series.study === study);
}

const responseExplodes: Judge = (input, study) => {
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
    verdict: verdictOf(
      ends.every(
        ({ series, below, above }) =>
          below.responseMs < kneeAt * series.demand.responseMs && above.responseMs > kneeAt * series.demand.responseMs,
      ),
    ),
  };
};

function kneeHz({ points, demand }: LoadSeries): number | null {
  const end = points.findIndex(({ responseMs }) => responseMs === null || responseMs >= kneeAt * demand.responseMs);
  return points[(end === -1 ? points.length : end) - 1]?.rateHz ?? null;
}

const kneeMoves: Judge = (input, study) => {
  const knees = seriesOf(input, study).map((series) => ({ series, rateHz: kneeHz(series) }));
  if (knees.length === 0) return null;
  const each = knees.map(
    ({ series, rateHz }) =>
      `${seriesTitle(input, series)} ${rateHz === null ? "at no rate that was measured" : `up to ${rateText(rateHz)}`}`,
  );
  return { here: `calls took less than ${kneeAt} times as long as alone over ${listed(each)}`, verdict: null };
};

/** The most callers, without think time and with the longest, by stack. */
const thinkingShortens: Judge = ({ analysis }, study) => {
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
    verdict: verdictOf(ends.every(({ first, last }) => last.measuredMs < first.measuredMs)),
  };
};

const judges = {
  "thinking-shortens-round-trips": thinkingShortens,
  "response-explodes-at-capacity": responseExplodes,
  "knee-moves": kneeMoves,
} as const satisfies Readonly<Record<SeriesTest["kind"], Judge>>;

function isOfArms(test: ArmTest | SeriesTest): test is ArmTest {
  return "metrics" in test;
}

const beginnings = {
  holds: "Holds here",
  "does not hold": "Does not hold here",
  "cannot tell": "Cannot tell",
} as const;

function claimText(input: ReportInput, study: string, { found, test }: PublishedClaim): string {
  const shown = isOfArms(test) ? judgedArms(input, study, test) : judges[test.kind](input, study);
  if (shown === null) return `It found that ${found}; this run cannot show it.`;
  const { here, verdict } = shown;
  return `It found that ${found}. ${verdict === null ? "Here" : beginnings[verdict]}: ${here}.`;
}

/** Everything except its name, as sentences. */
export function sourceText(input: ReportInput, { study, source, setting, caveats, claims }: PublishedFigures): string {
  return [`${source}.`, setting, ...caveats, ...claims.map((claim) => claimText(input, study, claim))].join(" ");
}
