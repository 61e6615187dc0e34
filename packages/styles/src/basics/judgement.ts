// What a contract change does to callers that were built before it.

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
    (worst, one) => (changeVerdicts.indexOf(one.verdict) > changeVerdicts.indexOf(worst.verdict) ? one : worst),
    first,
  );
}
