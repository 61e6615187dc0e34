// Limits how often disturbed blocks are measured again: a passing disturbance leaves a good run, and a lasting one a verdict in time.
import type { Disturbance } from "@roundtrip/analysis";

/** The maximum number of repetitions of one block. */
const mostOfBlock = 2;

/** The maximum share of a part's blocks to repeat for lost cores, which limits the cost on a machine that is always busy. */
const shareOfBlocks = 0.1;
const leastOfPart = 2;

/** A process stands still once; one that always does is measured as it is. */
const mostStandstills = 3;

/** The remaining repetitions in one part of a round. */
export class Repetitions {
  #lostCores: number;
  #standstills = mostStandstills;

  /** @param blocks the number of blocks in the part. */
  constructor(blocks: number) {
    this.#lostCores = Math.max(leastOfPart, Math.ceil(shareOfBlocks * blocks));
  }

  /** Whether to measure a block again. @param isOpenLoop callers would have met a standstill too. @param before the number of repetitions so far */
  take({ kind }: Disturbance, isOpenLoop: boolean, before: number): boolean {
    // A CPU limit is a property of this machine: it also delays the next measurement.
    if (before === mostOfBlock || kind === "throttled") return false;
    if (kind === "stood-still") {
      if (isOpenLoop || this.#standstills === 0) return false;
      this.#standstills -= 1;
      return true;
    }
    if (this.#lostCores === 0) return false;
    this.#lostCores -= 1;
    return true;
  }
}
