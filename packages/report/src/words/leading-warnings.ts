// The warnings that a reader of one screen needs: what makes figures void first, then what they rest on.
import type { Analysis } from "@roundtrip/analysis";
import { cautions } from "./cautions.ts";

/** Codes by how much they change what a reader may conclude; all others come after these. */
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
  "budget",
  "no-time",
  "throttled",
  "busy",
  "unfinished",
  "unfinished-tasks",
  "few-slow-calls",
  "link-caveat",
];

/** Codes that the sentences of {@link cautions} put in fewer words. */
const saidByCautions = new Set(["unsettled", "drift"]);

function severityOf(code: string): number {
  const place = bySeverity.indexOf(code);
  return place === -1 ? bySeverity.length : place;
}

/** One sentence for each, most important first: one for each kind of warning, so that no kind hides the others. */
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
