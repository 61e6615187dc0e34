// What is measured of one part of a round, and what decides about its blocks meanwhile.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { PartToPrepare, PreparedPart } from "./prepare-part.ts";
import type { BlockTimes } from "./round-times.ts";
import type { ScheduledBlock } from "./schedule.ts";

/** What differs from round to round, and from part to part: as it is measured, once its processes are ready. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** How many blocks of the round the parts before had. */
  readonly firstBlock: number;
}

/** Decides what is measured, before a part's first block and between its blocks, and gets the times of the blocks. */
export interface PartControl {
  /** Called when everything is ready: what is measured, and in which order. */
  schedule(prepared: PreparedPart): readonly ScheduledBlock[];
  /** Called once before each block. Returning true leaves it out. */
  isLeftOut(arm: PlannedArm): boolean;
  /** Called before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
  /** Called before a disturbed block is measured again: whether there is time left. */
  mayRepeat(): boolean;
  /** Called with the time in which processes of a void block stood still. */
  stoodStill(ms: number): void;
  /** Called after each measured block. */
  took(block: BlockTimes): void;
}
