// What is to be measured of one part of a round, and who is asked and told meanwhile.
import type { PartToPrepare } from "./prepare-part.ts";
import type { BlockTimes } from "./round-times.ts";
import type { ScheduledBlock } from "./schedule.ts";

/** What differs from round to round, and from part to part. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** How many blocks of the round the parts before had. */
  readonly firstBlock: number;
}

/** Who is asked and told between blocks of a part. */
export interface Turns {
  /** Asked before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
  /** Told of each block that was measured. */
  took(block: BlockTimes): void;
}
