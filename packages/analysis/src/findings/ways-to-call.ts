// What the façade buys: every other way to do the same task, held against one coarse call.
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { counted, listed, ratioText } from "../basics/words.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, intervalText, saidOnce, strengthOfVerdict, workText } from "./phrases.ts";

/** How a way to call begins a sentence about its cost. */
function wayText(arm: Arm): string {
  const calls = counted(arm.callsPerTask, "call");
  switch (arm.variant) {
    case "chatty":
      return arm.callsPerTask === 1 ? calls : `${calls} one after the other`;
    case "chatty-parallel":
      return `${calls} at once`;
    case "together":
      return "Several fields in one request";
    default:
      return `The way “${arm.variant}”`;
  }
}

/** One way to call, over all styles that were measured with it and with the façade: one sentence for those that say the same. */
export function againstFacade({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const comparison = evidence.measured.comparisons.find(
      (candidate) => candidate.kind === "variant" && candidate.numeratorId === arm.id,
    );
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
  return byStrength(rows, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, alike]) => {
    const { arm: first } = alike[0] as (typeof alike)[number];
    const each = alike.map(
      ({ arm, comparison }, index) =>
        `${ratioText(comparison.ratio)} × ${index === 0 ? "as long " : ""}over ${arm.title} (${intervalText(comparison)})`,
    );
    const measured = alike.some(({ comparison }) => comparison.low !== null);
    const caution =
      strength === "none"
        ? ": the same within 2 %"
        : strength === "inconclusive" && measured
          ? `: ${alike.length === 1 ? "the interval holds" : "the intervals hold"} 1, so no difference was found`
          : "";
    return {
      code: `${first.variant}-against-facade`,
      study,
      sentence: `${wayText(first)} instead of one façade call: ${workText(first)} takes ${listed(saidOnce(each))}${caution}.`,
      strength,
      armIds: alike.flatMap(({ comparison }) => [comparison.numeratorId, comparison.denominatorId]),
    };
  });
}
