// What the rules of other tools are given of a job: the same rounds that the gate judges, as each tool would have seen them.

/** The requests of one arm in one round. */
export interface ArmRound {
  readonly mean: number;
  /** Of single requests. */
  readonly variance: number;
  readonly count: number;
}

/** One cell of a job: base and head have a value for each round. */
export interface StoredRounds {
  readonly base: readonly ArmRound[];
  readonly head: readonly ArmRound[];
}

export interface RuleOutcome {
  /** Whether the rule calls head worse. */
  readonly isAlarm: boolean;
  /** How many rounds it looked at. */
  readonly rounds: number;
}

/** A rule of another tool, or of habit. */
export interface OtherRule {
  readonly name: string;
  readonly judge: (cell: StoredRounds) => RuleOutcome;
}
