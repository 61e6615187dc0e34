// What a check found, as data: what text, Markdown and JSON are made of.
import type { PackageRenaming } from "./changes/renamed-packages.ts";
import { allowing, type Allowed } from "./allow-list.ts";
import type { CheckedChange } from "./check-contracts.ts";
import { verdicts, type CheckStyle, type Judgement, type Verdict } from "./judgement.ts";

/** A style's judgement of a change; `allowed` is the reason why a break may happen. */
export interface ReportedJudgement extends Judgement {
  readonly allowed?: string;
}

export interface ReportedChange {
  readonly kind: CheckedChange["kind"];
  readonly where: string;
  readonly what: string;
  readonly styles: Readonly<Partial<Record<CheckStyle, ReportedJudgement>>>;
  /** The package's new name that it follows from; people read one row for all that do. */
  readonly renaming: PackageRenaming | undefined;
}

export interface CheckReport {
  /** What the contract was held against, as the user named it. */
  readonly against: string;
  readonly styles: readonly CheckStyle[];
  /** The gravest first, otherwise in the contract's order. */
  readonly changes: readonly ReportedChange[];
  /** How many changes break callers of each style, without those that are allowed. */
  readonly breaking: Readonly<Partial<Record<CheckStyle, number>>>;
  /** Entries of the list of allowed changes, by position from 1, that allow nothing. */
  readonly unused: readonly number[];
}

function worstOf({ styles }: ReportedChange): number {
  return Math.max(
    ...Object.values(styles).map(({ verdict, allowed }) => (allowed === undefined ? verdicts.indexOf(verdict) : 0)),
  );
}

/** The judgements of these changes on a style. */
function judgementsOn(
  changes: readonly Pick<ReportedChange, "styles">[],
  style: CheckStyle,
): readonly ReportedJudgement[] {
  return changes.flatMap(({ styles }) => styles[style] ?? []);
}

/** How many changes a style judges so, without those that are allowed. */
export function countOf(
  changes: readonly Pick<ReportedChange, "styles">[],
  style: CheckStyle,
  verdict: Verdict,
): number {
  return judgementsOn(changes, style).filter((one) => one.verdict === verdict && one.allowed === undefined).length;
}

/** Puts a report together. */
export function checkReport(
  against: string,
  styles: readonly CheckStyle[],
  changes: readonly CheckedChange[],
  allowed: readonly Allowed[],
): CheckReport {
  const used = new Set<Allowed>();
  const reported = changes.map((change): ReportedChange => {
    const judged = styles.map((style): readonly [CheckStyle, ReportedJudgement | undefined] => {
      const judgement = change.styles[style];
      const entry =
        judgement === undefined || judgement.verdict === "safe" ? undefined : allowing(allowed, change, style);
      if (entry !== undefined) used.add(entry);
      return [
        style,
        judgement === undefined || entry === undefined ? judgement : { ...judgement, allowed: entry.reason },
      ];
    });
    return { ...change, styles: Object.fromEntries(judged) };
  });
  return {
    against,
    styles,
    changes: reported.toSorted((a, b) => worstOf(b) - worstOf(a)),
    breaking: Object.fromEntries(styles.map((style) => [style, countOf(reported, style, "breaks")])),
    unused: allowed.flatMap((entry, index) => (used.has(entry) ? [] : [index + 1])),
  };
}
