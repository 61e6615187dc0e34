// What follows from calls that ask for some fields only, by a mask or a selection, against those that ask for all.
import { type Comparison, inverted, largestOf, ratioText } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { timesText, workText } from "./ratio-text.ts";

/** An answer with the needed fields against the same with all. */
interface Selected {
  readonly some: Arm;
  readonly all: Arm;
  readonly row: Comparison;
}

/** `selected` asks for some fields of what a façade has; `whole` for all of what a façade with a mask has some. */
function selectionsIn({ analysis }: Pick<ReportInput, "analysis">): readonly Selected[] {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  return analysis.comparisons.flatMap((row) => {
    const [arm, facade] = [arms.get(row.numeratorId), arms.get(row.denominatorId)];
    if (row.kind !== "variant" || arm?.role !== "style" || facade === undefined) return [];
    if (arm.variant === "selected") return [{ some: arm, all: facade, row }];
    return arm.variant === "whole" ? [{ some: facade, all: arm, row: inverted(row) }] : [];
  });
}

/** Those with the fewest fields, of the largest answers. */
function leading(selections: readonly Selected[]): readonly Selected[] {
  const fieldsOf = ({ some }: Selected): number => Number(some.factors["fields"] ?? 0);
  const fewest = Math.min(...selections.map(fieldsOf));
  const largest = new Set(largestOf(selections.filter((each) => fieldsOf(each) === fewest).map(({ some }) => some)));
  return selections.filter(({ some }) => largest.has(some));
}

/** A line for each study, such as `Asking for some fields instead of all, one list of 1,000 products: REST 0.29 × …`. Empty where no interval is known. */
export function selectionAdvice(run: Pick<ReportInput, "analysis">): readonly string[] {
  const bytes = new Map(
    run.analysis.summaries
      .filter(({ metric }) => metric === "wireBytesPerTask")
      .map(({ armId, mean }) => [armId, mean]),
  );
  const studies = Map.groupBy(selectionsIn(run), ({ some: { study, task } }) => JSON.stringify([study, task]));
  return [...studies.values()].flatMap((ofStudy) => {
    const rows = leading(ofStudy);
    const [first] = rows;
    if (first === undefined || rows.some(({ row }) => row.low === null)) return [];
    const each = rows.map(({ some, all, row }) => {
      const times = row.verdict === "inconclusive" ? "cannot tell of the time" : timesText(row);
      const share = (bytes.get(some.id) ?? Number.NaN) / (bytes.get(all.id) ?? Number.NaN);
      return `${some.title} ${times}${Number.isFinite(share) ? `, bytes ${ratioText(share)} ×` : ""}`;
    });
    return [`Asking for some fields instead of all, ${workText(first.some)}: ${each.join("; ")}.`];
  });
}
