// A load generator that runs the blocks instead of this project's client processes. Everything before stays the
// same: this project's clients start, compare and warm up the servers.
import type { Environment } from "@roundtrip/analysis";
import type { PlannedArm, ArmSelection } from "../study/planned-arm.ts";
import type { ProcessPair } from "../pair/process-pair.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import type { PartPlan, PartControl } from "./parts-of-round.ts";

/** A part of a round that is ready to be measured. */
export interface EnginePart {
  readonly plan: PartPlan;
  readonly seed: number;
  /** Warm, and as they will be until the part ends. */
  readonly pairs: readonly ProcessPair[];
  readonly log: RoundLog;
  readonly control: Pick<PartControl, "mayBegin" | "took">;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** The load generators, for the record. */
  readonly generators: NonNullable<Environment["generators"]>;
  /** Keeps the arms that it supports, including those whose rates are still to be searched, with a warning for each reason why others are left out. */
  choose(arms: readonly PlannedArm[]): Promise<ArmSelection>;
  /** Measures the blocks of a part and logs them. Resolves to false when it was ended early: by the turns or the signal. */
  runBlocks(part: EnginePart): Promise<boolean>;
}
