// The types of the rules that apply to every style.

/** One rule. */
interface Rule {
  /** The subject, in a few words. */
  readonly about: string;
  /** What applies to every style. */
  readonly rule: string;
}

/** A group of rules. */
export interface RuleTopic {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** The areas of the conformance cases that check them. */
  readonly areas: readonly string[];
}
