// What people read of a report: a change a row, and one row for all that follows from another name of a package.
import type { CheckReport, ReportedChange, ReportedJudgement } from "./check-report.ts";
import { verdicts, type CheckStyle } from "./judgement.ts";

/** One row. */
export interface ReportRow extends Pick<ReportedChange, "where" | "what" | "styles"> {
  /** The changes that it stands for, where it is none itself. */
  readonly folded: readonly ReportedChange[];
}

function gravityOf({ verdict, allowed }: ReportedJudgement): number {
  // What is allowed goes before what is safe: that there was something is told.
  return allowed === undefined ? 2 * verdicts.indexOf(verdict) : 1;
}

/** The gravest judgement of several changes, with how many of them there are. */
function judgedTogether(changes: readonly ReportedChange[], style: CheckStyle): readonly ReportedJudgement[] {
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

/** What a change is in one row with: those that follow from the same new name, or itself alone. */
function groupOf(change: ReportedChange): unknown {
  const { renaming } = change;
  return renaming === undefined ? change : `${renaming.from} ${renaming.to}`;
}

/** The rows of a report, in its order: a package that was renamed has its place where the first of what follows from it would be. */
export function rowsOf(report: CheckReport): readonly ReportRow[] {
  const groups = Map.groupBy(report.changes, groupOf);
  return [...groups.values()].map((changes): ReportRow => {
    const [first] = changes;
    if (first?.renaming !== undefined) return rowOfRenaming(changes, first.renaming.from, first.renaming.to, report);
    return { ...(first as ReportedChange), folded: [] };
  });
}
