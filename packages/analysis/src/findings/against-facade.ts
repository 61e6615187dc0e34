// What the façade saves: every other variant of a task compared with one coarse call.
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { counted } from "../basics/words.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import type { Evidence } from "./evidence.ts";
import { byVerdict, timesOver, workText } from "./phrases.ts";

function variantText(arm: Arm): string {
  const calls = counted(arm.callsPerTask, "call");
  switch (arm.variant) {
    case "chatty":
      return arm.callsPerTask === 1 ? calls : `${calls} one after the other`;
    case "chatty-parallel":
      return `${calls} at once`;
    case "together":
      return "Several fields in one request";
    default:
      return `Variant “${arm.variant}”`;
  }
}

export function againstFacade({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const comparison = evidence.measured.comparisons.find(
      (candidate) => candidate.kind === "variant" && candidate.numeratorId === arm.id,
    );
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
  return byVerdict(rows).map(([strength, alike]) => {
    const { arm: first } = alike[0] as (typeof alike)[number];
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
      sentence: `${variantText(first)} instead of one façade call: ${workText(first)} takes ${timesOver(alike)}${caution}.`,
      strength,
      armIds: alike.flatMap(({ comparison }) => [comparison.numeratorId, comparison.denominatorId]),
    };
  });
}
