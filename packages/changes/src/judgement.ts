// What a contract change does to callers that were built before it, and what a style says about it.
import { type Contract, memoize, type OperationKind } from "@roundtrip/contract";
import type { Change } from "./diff/change.ts";

/**
 * `breaks`: a call that uses it fails, or a value that both contracts have arrives wrong or not at all. `may break`: calls succeed, but for some
 * values or callers their meaning changes. `safe`: every call of an earlier caller continues to work. From the least to the gravest.
 */
export const changeVerdicts = ["safe", "may break", "breaks"] as const;

export type ChangeVerdict = (typeof changeVerdicts)[number];

export interface Judgement {
  readonly verdict: ChangeVerdict;
  readonly reason: string;
}

export function safe(reason: string): Judgement {
  return { verdict: "safe", reason };
}

export function mayBreak(reason: string): Judgement {
  return { verdict: "may break", reason };
}

export function breaks(reason: string): Judgement {
  return { verdict: "breaks", reason };
}

/** The gravest judgement, the first of several equals; `otherwise` for an empty list. */
export function gravest(judgements: readonly Judgement[], otherwise: Judgement): Judgement {
  const [first, ...others] = judgements;
  if (first === undefined) return otherwise;
  return others.reduce(
    (worst, next) => (changeVerdicts.indexOf(next.verdict) > changeVerdicts.indexOf(worst.verdict) ? next : worst),
    first,
  );
}

export interface ComparedContracts {
  readonly before: Contract;
  readonly after: Contract;
}

/** What a style finds between two contracts, and no change explains. */
export interface LeftOver {
  /** What it is about, in the style's terms. */
  readonly where: string;
  readonly what: string;
  readonly judgement: Judgement;
}

/** What a file in `styles/` exports as `breakingChanges`. */
export interface BreakingChanges {
  /** Kinds of operations that the style does not carry: changes of what only those use are safe. */
  readonly notCarried: readonly OperationKind[];
  judge(change: Change, contracts: ComparedContracts): Judgement;
  leftOver(changes: readonly Change[], contracts: ComparedContracts): readonly LeftOver[];
}

/** Computes something once for two contracts, and forgets it with them. */
export function perContracts<T>(compute: (contracts: ComparedContracts) => T): (contracts: ComparedContracts) => T {
  const known = memoize((before: Contract) => memoize((after: Contract) => compute({ before, after })));
  return ({ before, after }) => known(before)(after);
}
