// The rows of a report in text and Markdown: one per change, and one for all changes of a renamed package.
import { changeVerdicts } from "@roundtrip/styles";
import type { CheckReport, ReportedChange, ReportedJudgement } from "./check-report.ts";

export interface ReportRow extends Pick<ReportedChange, "where" | "what" | "styles"> {
  /** The changes in a folded row; empty for a single change. */
  readonly folded: readonly ReportedChange[];
}

function gravityOf({ verdict, allowed }: ReportedJudgement): number {
  // Allowed changes precede safe ones, so that they are seen.
  return allowed === undefined ? 2 * changeVerdicts.indexOf(verdict) : 1;
}

function judgedTogether(changes: readonly ReportedChange[], style: string): readonly ReportedJudgement[] {
  const all = changes.flatMap(({ styles }) => styles[style] ?? []);
  const [worst] = all.toSorted((a, b) => gravityOf(b) - gravityOf(a));
  if (worst === undefined) return [];
  const alike = all.filter((one) => gravityOf(one) === gravityOf(worst)).length;
  return [worst.verdict === "safe" ? worst : { ...worst, reason: `${worst.reason} (${alike} of ${all.length})` }];
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

function rowOfRenaming(changes: readonly ReportedChange[], from: string, to: string, report: CheckReport): ReportRow {
  const numberOf = (kind: ReportedChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  const parts = [
    ...counted(numberOf("operation-moved"), "operation", "operations"),
    ...counted(numberOf("type-moved"), "type", "types"),
  ];
  return {
    where: from === "" ? "files without a package" : `package ${from}`,
    what: `renamed to ${to === "" ? "nothing" : to}, with ${parts.join(" and ")}`,
    styles: Object.fromEntries(
      report.styles.flatMap((style) => judgedTogether(changes, style).map((judgement) => [style, judgement] as const)),
    ),
    folded: changes,
  };
}

function groupOf(change: ReportedChange): unknown {
  const { renaming } = change;
  return renaming === undefined ? change : `${renaming.from} ${renaming.to}`;
}

/** The rows of a report, in its order; a renamed package has the position of its first change. */
export function rowsOf(report: CheckReport): readonly ReportRow[] {
  const groups = Map.groupBy(report.changes, groupOf);
  return [...groups.values()].map((changes): ReportRow => {
    const [first] = changes;
    if (first?.renaming !== undefined) return rowOfRenaming(changes, first.renaming.from, first.renaming.to, report);
    return { ...(first as ReportedChange), folded: [] };
  });
}
