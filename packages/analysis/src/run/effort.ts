// What a run spent its time on, and what it left out to keep to its time.

/** Wall-clock time of one round by phase, in milliseconds; parts of a round that follow each other are added up. */
export interface RoundTime {
  /** 0-based. */
  readonly round: number;
  /** Processes start, load their code and connect. */
  readonly startingMs: number;
  readonly firstCallsMs: number;
  /** Every arm is executed once, and its answer compared. */
  readonly verificationMs: number;
  readonly warmUpMs: number;
  /** Everything that is timed, and what is asked of the processes before and after each block. */
  readonly blocksMs: number;
  /** Processes end, and calls and facts are written. */
  readonly endingMs: number;
}

/** One way to do one task that has no results: it was left out on all stacks, the floor among them. */
export interface LeftOutCell {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, string | number | boolean>>;
  /** 1 is never left out; the largest number goes first. */
  readonly priority: number;
}

/** What time was too short for. */
export interface LeftOutCells {
  /** In the order of the studies. */
  readonly cells: readonly LeftOutCell[];
  /** Present where the floor has no results of any cell. */
  readonly isFloorLeftOut?: true;
  /** Their arms, and those of the floor that was left out. Calls that a first round made of them before they were left out are removed: they are neither in the samples nor in a result. */
  readonly armIds: readonly string[];
  /** Share of the calls of all other cells that the round with the fewest made, up to 1. */
  readonly leastShareOfCalls: number;
  /** The time that the run was to keep within. */
  readonly withinMs: number;
  /** The `--budget` that would have been enough for everything, estimated from what was measured. */
  readonly budgetMs: number;
}
