// What a change does to callers that were built before it.

/** The styles that are judged. `code` is no style of calling: it is the source of callers whose types are generated anew. */
export const checkStyles = ["grpc", "rest", "graphql", "code"] as const;

export type CheckStyle = (typeof checkStyles)[number];

export const styleTitles: Readonly<Record<CheckStyle, string>> = {
  grpc: "gRPC",
  rest: "REST",
  graphql: "GraphQL",
  code: "Generated code",
};

/**
 * `breaks`: a call that uses it fails, or a value that both contracts have arrives wrong or not at all. `may break`: calls go on, but for
 * some values or some callers they do not mean the same. `safe`: every call of a caller of the contract before goes on to work.
 */
export const verdicts = ["safe", "may break", "breaks"] as const;

export type Verdict = (typeof verdicts)[number];

export interface Judgement {
  readonly verdict: Verdict;
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

/** The gravest; the first of several that are alike. `otherwise` when there is none. */
export function gravest(judgements: readonly Judgement[], otherwise: Judgement): Judgement {
  const [first, ...others] = judgements;
  if (first === undefined) return otherwise;
  return others.reduce(
    (worst, one) => (verdicts.indexOf(one.verdict) > verdicts.indexOf(worst.verdict) ? one : worst),
    first,
  );
}
