// What the study of 1996 found of callers who think, looked for in a run.
import { concurrencySeries, listed, predictionErrors, threeDigits } from "@roundtrip/analysis";
import { standing } from "../rows/concurrency-rows.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { Judge } from "./claim.ts";

/** The most callers, without thinking and with the most of it, stack by stack. */
export const thinkingShortens: Judge = ({ analysis }, study) => {
  const series = standing(concurrencySeries(analysis).filter((one) => one.study === study));
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
