// The plan of one part of a round, and the control over its blocks.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { PartToPrepare, PreparedPart } from "./prepare-part.ts";
import type { BlockTimes } from "./round-times.ts";
import type { ScheduledBlock } from "./schedule.ts";

/** The values that differ between rounds and parts, once the processes are ready. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** The number of blocks in the earlier parts of the round. */
  readonly firstBlock: number;
}

/** Decides what is measured before and between the blocks of a part, and gets their times. */
export interface PartControl {
  /** Called when everything is ready. Returns the blocks in order. */
  schedule(prepared: PreparedPart): readonly ScheduledBlock[];
  /** Called once before each block. Returning true leaves it out. */
  isLeftOut(arm: PlannedArm): boolean;
  /** Called before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
  /** Called before a disturbed block is repeated: whether there is time left. */
  mayRepeat(): boolean;
  /** Called with the time in which processes of a void block stood still. */
  stoodStill(ms: number): void;
  /** Called after each measured block. */
  took(block: BlockTimes): void;
}
