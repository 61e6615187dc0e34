// From how many attributes on the façade pays, and what one more attribute costs it whether anybody reads it or not.
import type { BreakEven, Finding } from "../result.ts";
import { durationRange, durationText, listed, threeDigits } from "../words.ts";
import type { Evidence } from "./evidence.ts";
import { saidOnce } from "./phrases.ts";

function crossingText({ attributes, low, high, title }: BreakEven): string {
  const interval =
    low === null || high === null ? "no interval" : `95 % interval ${threeDigits(low)} to ${threeDigits(high)}`;
  return `${threeDigits(attributes ?? 0)} over ${title} (${interval})`;
}

function titles(rows: readonly BreakEven[]): string {
  return listed(rows.map((row) => row.title));
}

/** Below one attribute there is nothing to read: lines that clearly cross there say that the façade is never behind. */
function belowOne({ attributes, high }: BreakEven): boolean {
  return attributes !== null && (high ?? attributes * 1.1) < 1;
}

function sentenceFor(task: string, rows: readonly BreakEven[]): string {
  const crossing = rows.filter((row) => row.attributes !== null && !belowOne(row));
  const atOnce = rows.filter(belowOne);
  const always = rows.filter((row) => row.attributes === null && row.always);
  const never = rows.filter((row) => row.attributes === null && !row.always);
  const crossings = listed(saidOnce(crossing.map(crossingText)));
  const parts = [
    ...(crossing.length === 0
      ? []
      : [`the attribute count at which façade and chatty calls break even is ${crossings}`]),
    ...(atOnce.length === 0
      ? []
      : [
          `the façade pays from the first attribute on over ${titles(atOnce)} (the lines cross at ${listed(atOnce.map(({ attributes }) => threeDigits(attributes ?? 0)))})`,
        ]),
    ...(always.length === 0 ? [] : [`the façade is faster at every measured count over ${titles(always)}`]),
    ...(never.length === 0 ? [] : [`no break-even is in sight within the measured counts over ${titles(never)}`]),
  ];
  return `For a ${task}, ${listed(parts)}.`;
}

/** One sentence for a task: break-even against chatty calls made one after the other. */
export function breakEvenCount(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  if (rows.length === 0) return [];
  const bounded = rows.every((row) => (row.attributes === null ? row.always : row.low !== null));
  return [
    {
      code: "break-even",
      study,
      sentence: sentenceFor(task, rows),
      strength: bounded ? "clear" : "inconclusive",
      armIds: [],
    },
  ];
}

function costText(row: BreakEven): string {
  const { facadeMsPerAttribute: cost, facadeMsPerAttributeLow: low, facadeMsPerAttributeHigh: high, title } = row;
  const interval = low === null || high === null ? "no interval" : `95 % interval ${durationRange(low, high)}`;
  return `${durationText(cost)} over ${title} (${interval})`;
}

/** One sentence for a task: the façade's slope, which is what an unused attribute costs. */
export function attributeCost(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  if (rows.length === 0) return [];
  const clear = rows.every((row) => row.facadeMsPerAttributeLow !== null && row.facadeMsPerAttributeLow > 0);
  const measured = rows.some((row) => row.facadeMsPerAttributeLow !== null);
  const nothing = clear || !measured ? "" : "; an interval that holds 0 means that no cost can be told";
  return [
    {
      code: "attribute-cost",
      study,
      sentence: `One more attribute in a façade ${task}, used or not, costs ${listed(saidOnce(rows.map(costText)))}${nothing}.`,
      strength: clear ? "clear" : "inconclusive",
      armIds: [],
    },
  ];
}
