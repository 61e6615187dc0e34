// The warnings for one screen: first those that make figures void, then those about their basis.
import type { Analysis } from "@roundtrip/analysis";
import { markNote } from "../view/unsettled-mark.ts";

/** One sentence each; may be empty. */
export function cautions(analysis: Pick<Analysis, "arms" | "unsettled" | "warnings">): readonly string[] {
  const settled = markNote(analysis, analysis.arms);
  return [
    ...(settled === "" ? [] : [`${settled} Their names carry the sign below.`]),
    ...(analysis.warnings.some(({ code }) => code === "drift")
      ? [
          "Latency still moved inside the rounds: the warning “drift” says by how much, and what that does to ratios between stacks.",
        ]
      : []),
  ];
}

/** Codes by their effect on conclusions; all others follow. */
export const bySeverity: readonly string[] = [
  "answers-differ",
  "void",
  "k6-void",
  "client-saturated",
  "server-died",
  "client-died",
  "generator-died",
  "round-lost",
  "stood-still",
  "too-few-rounds",
  "few-rounds",
  "throttled",
  "busy",
  "no-time",
  "budget",
  "unfinished",
  "unfinished-tasks",
  "few-slow-calls",
  "sample-first-calls",
  "sample-drift",
  "sample-modes",
  "link-caveat",
];

/** Codes that {@link cautions} states more briefly. */
const saidByCautions = new Set(["unsettled", "drift"]);

function severityOf(code: string): number {
  const rank = bySeverity.indexOf(code);
  return rank === -1 ? bySeverity.length : rank;
}

/** One sentence for each kind of warning, most important first, so that no kind hides the others. */
export function leadingWarnings(analysis: Pick<Analysis, "arms" | "unsettled" | "warnings">): readonly string[] {
  const kinds = [...Map.groupBy(analysis.warnings, ({ code }) => code)].filter(([code]) => !saidByCautions.has(code));
  const severest = kinds.toSorted(([one], [other]) => severityOf(one) - severityOf(other));
  const sentences = severest.flatMap(([, [first, ...others]]) => {
    if (first === undefined) return [];
    return [others.length === 0 ? first.message : `${first.message} (and ${others.length} more of this kind)`];
  });
  const isGrave = severest.filter(([code]) => bySeverity.includes(code)).length;
  return [...sentences.slice(0, isGrave), ...cautions(analysis), ...sentences.slice(isGrave)];
}
