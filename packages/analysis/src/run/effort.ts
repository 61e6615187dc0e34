// What a run spent its time on, and what it left out to stay within its time.

/** Wall-clock time of one round by phase, in milliseconds, summed over parts of a round. */
export interface RoundTime {
  /** 0-based. */
  readonly round: number;
  /** Processes start, load their code and connect. */
  readonly startingMs: number;
  readonly firstCallsMs: number;
  /** Every arm runs once, and its answer is compared. */
  readonly verificationMs: number;
  readonly warmUpMs: number;
  /** The measurement, and the messages to processes before and after each block. */
  readonly blocksMs: number;
  /** Processes end, and the run writes calls and facts. */
  readonly endingMs: number;
}

/** One cell without results: left out on all stacks, including the floor. */
export interface LeftOutCell {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, string | number | boolean>>;
  /** 1 is never left out; the largest number goes first. */
  readonly priority: number;
}

export interface LeftOutCells {
  readonly cells: readonly LeftOutCell[];
  /** Present where the floor has no results in any cell. */
  readonly isFloorLeftOut?: true;
  /** Their arms, and those of a left-out floor. */
  readonly armIds: readonly string[];
  /** Share, up to 1, of the calls of all other cells that every round was planned to make. */
  readonly shareOfCalls: number;
  /** The run's time limit. */
  readonly withinMs: number;
  /** The `--budget` that would be enough for everything, estimated from the first round's warm-up. */
  readonly budgetMs: number;
}
