// A load generator that runs the blocks instead of this project's client processes. The earlier steps are the same: this project's clients start,
// compare and warm up the servers.
import type { Environment } from "@roundtrip/analysis";
import type { PlannedArm, ArmSelection } from "../study/planned-arm.ts";
import type { ProcessPair } from "../pair/process-pair.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import type { BlockTime } from "./plan-run.ts";
import type { PartPlan, PartControl } from "./parts-of-round.ts";

/** A part of a round that is ready to be measured. */
export interface EnginePart {
  readonly plan: PartPlan;
  readonly seed: number;
  /** Warmed up; none is replaced until the part ends. */
  readonly pairs: readonly ProcessPair[];
  readonly log: RoundLog;
  readonly control: Pick<PartControl, "mayBegin">;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** The load generators, for the record. */
  readonly generators: NonNullable<Environment["generators"]>;
  /** How long a block takes, for the plan of a run. */
  readonly blockTime: BlockTime;
  /** Keeps the arms that it supports, including those whose rates are still to be searched, with a warning per reason for leaving others out. */
  choose(arms: readonly PlannedArm[]): Promise<ArmSelection>;
  /** Measures the blocks of a part and logs them. Resolves to false if the control or the signal ended it early. */
  runBlocks(part: EnginePart): Promise<boolean>;
}
