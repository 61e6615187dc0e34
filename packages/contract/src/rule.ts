// What a rule is that holds on every style.

/** One rule, and how each style says it. */
export interface Rule {
  /** What it is about, in a few words. */
  readonly about: string;
  /** What holds on every style. */
  readonly rule: string;
  readonly grpc: string;
  readonly rest: string;
  readonly graphql: string;
}

/** Rules that belong together. */
export interface RuleTopic {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** The areas of the conformance cases that check them. */
  readonly areas: readonly string[];
}
