// The parts of a round: studies that share processes are measured together, others one after another, so that no process waits for its study while
// another is measured.
import type { PlannedArm } from "../study/planned-arm.ts";
import { seedOf, shuffled } from "../basics/seeded-order.ts";
import type { PartToPrepare, PreparedPart } from "./prepare-part.ts";
import type { ScheduledBlock } from "./schedule.ts";

/** The values that differ between rounds and parts, once the processes are ready. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** The number of blocks in the earlier parts of the round. */
  readonly firstBlock: number;
}

/** Decides what is measured before and between the blocks of a part. */
export interface PartControl {
  /** Called when everything is ready. Returns the blocks in order. */
  schedule(prepared: PreparedPart): readonly ScheduledBlock[];
  /** Called before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
}

/** Studies whose processes are started, measured and ended together. */
export interface PartOfRound {
  readonly studies: readonly string[];
  readonly arms: readonly PlannedArm[];
}

/** Sets of studies such that no two sets share a configuration. */
function studiesThatShare(arms: readonly PlannedArm[]): readonly (readonly string[])[] {
  let sets: readonly (readonly string[])[] = [];
  for (const alike of Map.groupBy(arms, (arm) => arm.configuration.id).values()) {
    const studies = alike.map(({ study }) => study);
    const isShared = (set: readonly string[]): boolean => set.some((study) => studies.includes(study));
    const joined = new Set([...sets.filter(isShared).flat(), ...studies]);
    sets = [...sets.filter((set) => !isShared(set)), [...joined]];
  }
  return sets;
}

/** In a random order from the seed. */
export function partsOfRound(arms: readonly PlannedArm[], seed: number, round: number): readonly PartOfRound[] {
  const parts = studiesThatShare(arms).map((studies) => ({
    studies,
    arms: arms.filter(({ study }) => studies.includes(study)),
  }));
  return shuffled(parts, seedOf(seed, round, -2));
}
