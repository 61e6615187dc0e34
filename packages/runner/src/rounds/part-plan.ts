// What is to be measured of one part of a round, and who is asked and told meanwhile.
import type { Arm } from "../arm.ts";
import type { PartToPrepare, PreparedPart } from "./prepare-part.ts";
import type { BlockTimes } from "./round-times.ts";
import type { ScheduledBlock } from "./schedule.ts";

/** What differs from round to round, and from part to part: as it is measured, once its processes are ready. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** How many blocks of the round the parts before had. */
  readonly firstBlock: number;
}

/** Who is asked and told before a part's first block, and between its blocks. */
export interface Turns {
  /** Asked when everything is ready: what is measured, and in which order. */
  schedule(prepared: PreparedPart): readonly ScheduledBlock[];
  /** Asked before each block. Returning true leaves it out. */
  isLeftOut(arm: Arm): boolean;
  /** Asked before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
  /** Asked before a disturbed block is measured again: whether there is time left. */
  mayRepeat(): boolean;
  /** Told of the time in which processes of a void block stood still. */
  stoodStill(ms: number): void;
  /** Told of each block that was measured. */
  took(block: BlockTimes): void;
}
