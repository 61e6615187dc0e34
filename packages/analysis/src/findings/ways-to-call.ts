// What the façade buys: every other way to do the same task, held against one coarse call.
import type { Comparison, Finding } from "../result.ts";
import type { Arm } from "../run.ts";
import { counted, listed } from "../words.ts";
import type { Cell, Evidence } from "./evidence.ts";
import { ratioWithInterval, saidOnce, workText } from "./phrases.ts";

/** How a way to call reads in a sentence about its cost. */
function wayText(arm: Arm): string {
  const calls = counted(arm.callsPerTask, "call");
  switch (arm.variant) {
    case "chatty":
      return `as ${calls} one after the other`;
    case "chatty-parallel":
      return `as ${calls} at once`;
    case "together":
      return "as several fields in one request";
    default:
      return `as ${arm.variant}`;
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
  const each = rows.map(({ arm, comparison }) => `${ratioWithInterval(comparison)} over ${arm.title}`);
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
      sentence: `Against one façade call, ${workText(first.arm)} ${wayText(first.arm)} took ${listed(saidOnce(each))}${caution}.`,
      strength,
      armIds: rows.flatMap(({ comparison }) => [comparison.numeratorId, comparison.denominatorId]),
    },
  ];
}
