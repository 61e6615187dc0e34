// The options of a run that measures two versions side by side: their servers, and when to stop.
import type { Arm, RunFacts, Samples } from "@roundtrip/analysis";
import type { Version } from "../study/sources.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

export interface RoundSeen {
  /** Of all rounds so far. */
  readonly facts: RunFacts;
  /** Of this round. */
  readonly calls: Samples;
}

export interface SideBySideRun {
  readonly versions: readonly Version[];
  /** Whether an arm is measured. Factors that a capacity search adds are still missing. */
  measures(arm: Arm): boolean;
  /** The maximum number of rounds lost because a process ends before anything is timed. One more, or a lost first round, fails the run. */
  readonly mostLostRounds: number;
  /** Whether an arm needs no further rounds. Called for each arm before a round. */
  isSettled(arm: Arm): boolean;
  /** Called after each complete round. */
  afterRound(seen: RoundSeen): "go on" | "enough";
}

/** Equal for arms that differ in their version alone, or not at all. */
export function versionlessKey({
  configuration,
  answerKey,
  variant,
}: Pick<PlannedArm, "configuration" | "answerKey" | "variant">): string {
  return JSON.stringify([configuration.versionlessId, answerKey, variant]);
}
