// The types of the rules that apply to every style.

/** One rule, and how each style expresses it. */
export interface Rule {
  /** The subject, in a few words. */
  readonly about: string;
  /** What applies to every style. */
  readonly rule: string;
  readonly grpc: string;
  readonly rest: string;
  readonly graphql: string;
}

/** A group of rules. */
export interface RuleTopic {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** The areas of the conformance cases that check them. */
  readonly areas: readonly string[];
}
