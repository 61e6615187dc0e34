// The number of attributes from which the façade is faster, and the cost of each further attribute, used or not.
import { distanceFactor } from "../distance/measured-distance.ts";
import type { BreakEven } from "../comparison/break-even.ts";
import type { Finding } from "./finding.ts";
import { counted, durationRange, durationText, listed, ratioText } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, withoutRepeatedIntervalText } from "./phrases.ts";

/** `1.07 (95 % interval 0.80 to 1.31)`. */
function crossingText({ attributes, low, high }: BreakEven): string {
  const interval =
    low === null || high === null ? "no interval" : `95 % interval ${ratioText(low)} to ${ratioText(high)}`;
  return `${ratioText(attributes ?? 0)} (${interval})`;
}

/** `REST`, or `REST at 50 ms` in a run over distance. */
function titleOf({ title, factors }: BreakEven): string {
  const rttMs = factors[distanceFactor];
  return typeof rttMs === "number" ? `${title} at ${durationText(rttMs)}` : title;
}

function titles(rows: readonly BreakEven[]): string {
  return listed(rows.map(titleOf));
}

/** The smallest count, at least 1, above the crossing's whole interval; without an interval, above the crossing itself. */
function paysFrom({ attributes, high }: BreakEven): number {
  return Math.max(1, Math.floor(high ?? attributes ?? 0) + 1);
}

function sentenceFor(task: string, rows: readonly BreakEven[], largest: number): string {
  const crossing = rows
    .filter((row) => row.attributes !== null)
    .toSorted((one, other) => paysFrom(one) - paysFrom(other));
  const texts = withoutRepeatedIntervalText(crossing.map(crossingText));
  const linesOf = (some: readonly BreakEven[]): string =>
    `the lines cross at ${listed(some.map((row) => texts[crossing.indexOf(row)] ?? ""))}`;
  const late = crossing.filter((row) => paysFrom(row) > largest);
  const always = rows.filter((row) => row.attributes === null && row.always);
  const never = rows.filter((row) => row.attributes === null && !row.always);
  const early = crossing.filter((row) => paysFrom(row) <= largest);
  const alike = Map.groupBy(early, (row) => {
    const verb = row.high === null ? "looks" : "is";
    return `the façade ${verb} faster from ${counted(paysFrom(row), "attribute")} on`;
  });
  const parts = [
    ...[...alike].map(([claim, some]) => `${claim} over ${titles(some)}: ${linesOf(some)}`),
    ...(late.length === 0
      ? []
      : [`the attribute count from which the façade is faster is unclear over ${titles(late)}: ${linesOf(late)}`]),
    ...(always.length === 0 ? [] : [`the façade is faster at every measured count over ${titles(always)}`]),
    ...(never.length === 0 ? [] : [`no break-even is in sight within the measured counts over ${titles(never)}`]),
  ];
  return `For a ${task}, ${parts.join("; ")}.`;
}

/** Break-even against chatty sequential calls: one sentence for the styles with a clear result, one for the others. */
export function breakEvenCount(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  if (rows.length === 0) return [];
  const counts = evidence.measured.arms
    .filter((arm) => arm.study === study && arm.task === task)
    .map((arm) => Number(arm.factors["attributes"] ?? 0));
  const largest = Math.max(...counts);
  const bounded = (row: BreakEven): boolean =>
    row.attributes === null ? row.always : row.high !== null && paysFrom(row) <= largest;
  return byStrength(rows, (row) => (bounded(row) ? "clear" : "inconclusive")).map(([strength, alike]) => ({
    code: "break-even",
    study,
    sentence: sentenceFor(task, alike, largest),
    strength,
    armIds: [],
  }));
}

/** `7.06 µs over REST (95 % interval 224 ns to 13.9 µs)`. */
function costText(row: BreakEven): string {
  const { facadeMsPerAttribute: cost, facadeMsPerAttributeLow: low, facadeMsPerAttributeHigh: high } = row;
  const interval = low === null || high === null ? "no interval" : `95 % interval ${durationRange(low, high)}`;
  return `${durationText(cost)} over ${titleOf(row)} (${interval})`;
}

function isDistinct({ facadeMsPerAttributeLow: low, facadeMsPerAttributeHigh: high }: BreakEven): boolean {
  return low !== null && high !== null && (low > 0 || high < 0);
}

/** The façade's slope is the cost of an unused attribute: one sentence for the styles with a clear slope, one for the others. */
export function attributeCost(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  return byStrength(rows, (row) => (isDistinct(row) ? "clear" : "inconclusive")).map(([strength, alike]) => {
    const costs = listed(withoutRepeatedIntervalText(alike.map(costText)));
    const indistinct = alike.some((row) => row.facadeMsPerAttributeLow !== null) && strength === "inconclusive";
    const verb = indistinct ? "costs nothing that is distinguishable from 0:" : "costs";
    return {
      code: "attribute-cost",
      study,
      sentence: `One more attribute in a façade ${task}, used or not, ${verb} ${costs}.`,
      strength,
      armIds: [],
    };
  });
}
