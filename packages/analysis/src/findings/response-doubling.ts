// The rate of arrivals at which a call takes twice as long as alone, measured and predicted.
import { doublingRate, type DoublingRate } from "../load/doubling-rate.ts";
import type { LoadSeries } from "../load/load-series.ts";
import type { Finding } from "./finding.ts";
import { listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { withoutRepeatedIntervalText, workText } from "./phrases.ts";
import { serviceLevel } from "./load-levels.ts";

interface Doubling extends DoublingRate {
  readonly series: LoadSeries;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function endText(rateHz: number): string {
  return Number.isFinite(rateHz) ? threeDigits(rateHz) : "beyond what was measured";
}

/** Only the first names the unit. */
function rateText({ rateHz, low, high, series: { alone } }: Doubling, index: number): string {
  const interval = low === null || high === null ? "" : ` (95 % interval ${endText(low)} to ${endText(high)})`;
  return `${threeDigits(rateHz)}${index === 0 ? " arrivals a second on" : ""} over ${alone.title}${interval}`;
}

function saidOf(doublings: readonly Doubling[]): string {
  const doubled = doublings.filter(({ rateHz }) => Number.isFinite(rateHz));
  const others = doublings.filter(({ rateHz }) => !Number.isFinite(rateHz));
  const upTo = others.map(({ highestHz, series: { alone } }) => `${threeDigits(highestHz)} over ${alone.title}`);
  return [
    ...(doubled.length === 0 ? [] : [`from ${listed(withoutRepeatedIntervalText(doubled.map(rateText)))}`]),
    ...(others.length === 0 ? [] : [`not yet at the most that was kept, ${listed(upTo)}`]),
  ].join("; ");
}

export function responseDoubling(study: string, { measured }: Evidence): readonly Finding[] {
  const ofStudy = measured.loadSeries.filter((one) => one.study === study && serviceLevel(one.alone) === "");
  return [...Map.groupBy(ofStudy, ({ task }) => task).values()].flatMap((all): Finding | readonly Finding[] => {
    const doublings = all.flatMap((series): readonly Doubling[] => {
      const found = doublingRate(series, measured.distributions);
      return found === undefined ? [] : [{ ...found, series }];
    });
    const [first] = doublings;
    if (first === undefined) return [];
    const predicted = listed(doublings.map(({ predictedHz }) => threeDigits(predictedHz)));
    return {
      code: "response-doubling",
      study,
      sentence: `${capitalised(workText(first.series.alone))} takes twice as long as alone ${saidOf(doublings)}; M/G/1 had it at ${predicted}.`,
      strength: "measured",
      armIds: doublings.flatMap(({ series: { alone, points } }) => [alone.id, ...points.map(({ armId }) => armId)]),
    };
  });
}
