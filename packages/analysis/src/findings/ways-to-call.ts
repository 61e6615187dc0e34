// What the façade buys: every other way to do the same task, held against one coarse call.
import type { Comparison, Finding } from "../result.ts";
import type { Arm } from "../run.ts";
import { counted, listed, ratioText } from "../words.ts";
import type { Cell, Evidence } from "./evidence.ts";
import { intervalText, saidOnce, workText } from "./phrases.ts";

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

function strengthOf(comparisons: readonly Comparison[]): Finding["strength"] {
  if (comparisons.every(({ verdict }) => verdict === "different")) return "clear";
  return comparisons.every(({ verdict }) => verdict === "indistinguishable") ? "none" : "inconclusive";
}

/** One sentence for one way to call, over all styles that were measured with it and with the façade. */
export function againstFacade({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const comparison = evidence.measured.comparisons.find(
      (candidate) => candidate.kind === "variant" && candidate.numeratorId === arm.id,
    );
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const each = rows.map(
    ({ arm, comparison }, index) =>
      `${ratioText(comparison.ratio)} × ${index === 0 ? "as long " : ""}over ${arm.title} (${intervalText(comparison)})`,
  );
  const strength = strengthOf(rows.map(({ comparison }) => comparison));
  const measured = rows.some(({ comparison }) => comparison.low !== null);
  const caution = {
    clear: "",
    measured: "",
    fact: "",
    none: ": the same within 2 %",
    inconclusive: measured ? "; where the interval holds 1, no difference can be told" : "",
  }[strength];
  return [
    {
      code: `${first.arm.variant}-against-facade`,
      study,
      sentence: `${wayText(first.arm)} instead of one façade call: ${workText(first.arm)} takes ${listed(saidOnce(each))}${caution}.`,
      strength,
      armIds: rows.flatMap(({ comparison }) => [comparison.numeratorId, comparison.denominatorId]),
    },
  ];
}
