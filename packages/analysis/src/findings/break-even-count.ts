// From how many attributes on the façade pays, and what one more attribute costs it whether anybody reads it or not.
import type { BreakEven, Finding } from "../result.ts";
import { counted, durationText, listed, threeDigits } from "../words.ts";
import type { Evidence } from "./evidence.ts";

function crossingText({ attributes, low, high, always, title }: BreakEven): string {
  if (attributes === null) {
    return always ? `at every measured count over ${title}` : `at no point within the measured counts over ${title}`;
  }
  const interval =
    low === null || high === null ? "no interval" : `95 % interval ${threeDigits(low)} to ${threeDigits(high)}`;
  return `from ${counted(Number(threeDigits(attributes)), "attribute")} on over ${title} (${interval})`;
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
      sentence: `For ${task} the façade is faster than chatty calls ${listed(rows.map(crossingText))}.`,
      strength: bounded ? "clear" : "inconclusive",
      armIds: [],
    },
  ];
}

function costText(row: BreakEven): string {
  const { facadeMsPerAttribute: cost, facadeMsPerAttributeLow: low, facadeMsPerAttributeHigh: high, title } = row;
  const interval = low === null || high === null ? "no interval" : `${durationText(low)} to ${durationText(high)}`;
  return `${durationText(cost)} over ${title} (${interval})`;
}

/** One sentence for a task: the façade's slope, which is what an unused attribute costs. */
export function attributeCost(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  if (rows.length === 0) return [];
  const clear = rows.every((row) => row.facadeMsPerAttributeLow !== null && row.facadeMsPerAttributeLow > 0);
  const nothing = clear ? "" : "; an interval that holds 0 means that no cost can be told";
  return [
    {
      code: "attribute-cost",
      study,
      sentence: `One more attribute in a façade ${task}, used or not, costs ${listed(rows.map(costText))}${nothing}.`,
      strength: clear ? "clear" : "inconclusive",
      armIds: [],
    },
  ];
}
