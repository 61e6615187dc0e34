// What a run is told that measures two versions side by side: whose servers they are, and who says when enough is known.
import type { Arm, RunFacts, Samples } from "@roundtrip/analysis";
import type { Version } from "../study/version.ts";

/** What is known after a round. */
export interface RoundSeen {
  /** Of all rounds so far. */
  readonly facts: RunFacts;
  /** The calls of this round. */
  readonly calls: Samples;
}

export interface SideBySideRun {
  readonly versions: readonly Version[];
  /** Whether an arm is measured; what a search adds to its factors is not known yet. */
  measures(arm: Arm): boolean;
  /** Rounds in which a process ends before anything is timed, and after which the run goes on; with one more it rejects. The first is never lost. */
  readonly mostLostRounds: number;
  /** Asked of each arm before a round: whether enough is known of it, so that it is left out while others go on. */
  isSettled(arm: Arm): boolean;
  /** Asked after each complete round. */
  afterRound(seen: RoundSeen): "go on" | "enough";
}
