// The input for rules of other tools: the same rounds that the gate judges, in the form that each tool would have seen.

export interface ArmRound {
  readonly mean: number;
  /** The variance of single requests. */
  readonly variance: number;
  readonly count: number;
}

/** One cell of a job: base and head have a value for each round. */
export interface StoredRounds {
  readonly base: readonly ArmRound[];
  readonly head: readonly ArmRound[];
}

export interface RuleOutcome {
  readonly isAlarm: boolean;
  readonly rounds: number;
}

/** A rule of another tool, or a common practice. */
export interface OtherRule {
  readonly name: string;
  readonly judge: (cell: StoredRounds) => RuleOutcome;
}
