// The result of a check as data for text, Markdown and JSON.
import { changeVerdicts, type ChangeVerdict, type Judgement, type CheckedChange } from "@roundtrip/changes";
import { allowing, type Allowed } from "./allow-list.ts";

/** A style's judgement of a change; `allowed` is the reason if it is allowed. */
export interface ReportedJudgement extends Judgement {
  readonly allowed?: string;
}

export interface ReportedChange {
  readonly kind: CheckedChange["kind"];
  readonly where: string;
  readonly what: string;
  readonly styles: Readonly<Record<string, ReportedJudgement>>;
}

export interface CheckReport {
  /** The earlier contract, as typed by the user. */
  readonly against: string;
  readonly styles: readonly string[];
  /** The gravest first, then in the contract's order. */
  readonly changes: readonly ReportedChange[];
  /** The number of breaking changes for each style, allowed ones not counted. */
  readonly breaking: Readonly<Record<string, number>>;
  /** Unused entries of the list of allowed changes, by position from 1. */
  readonly unused: readonly number[];
}

function worstOf({ styles }: ReportedChange): number {
  return Math.max(
    ...Object.values(styles).map(({ verdict, allowed }) =>
      allowed === undefined ? changeVerdicts.indexOf(verdict) : 0,
    ),
  );
}

function judgementsOn(changes: readonly Pick<ReportedChange, "styles">[], style: string): readonly ReportedJudgement[] {
  return changes.flatMap(({ styles }) => styles[style] ?? []);
}

/** The number of changes with a verdict on a style, allowed ones not counted. */
export function countOf(
  changes: readonly Pick<ReportedChange, "styles">[],
  style: string,
  verdict: ChangeVerdict,
): number {
  return judgementsOn(changes, style).filter((one) => one.verdict === verdict && one.allowed === undefined).length;
}

export function checkReport(
  against: string,
  styles: readonly string[],
  changes: readonly CheckedChange[],
  allowed: readonly Allowed[],
): CheckReport {
  const used = new Set<Allowed>();
  const reportedJudgement = (change: CheckedChange, style: string, judgement: Judgement): ReportedJudgement => {
    const entry = judgement.verdict === "safe" ? undefined : allowing(allowed, change, style);
    if (entry === undefined) return judgement;
    used.add(entry);
    return { ...judgement, allowed: entry.reason };
  };
  const reported = changes.map((change): ReportedChange => {
    const judged = Object.entries(change.styles).map(
      ([style, judgement]) => [style, reportedJudgement(change, style, judgement)] as const,
    );
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
