// How often disturbed blocks are measured again: a neighbour that goes away leaves a good run, and one that stays leaves a verdict in time.
import type { Disturbance } from "@roundtrip/analysis";

/** One block is measured at most once more than so often. */
const mostOfBlock = 2;

/** Of a part's blocks, for lost cores: where the machine is always busy, this is what trying costs. */
const shareOfBlocks = 0.1;
const leastOfPart = 2;

/** A process that stands still does so once; if it does so always, that is what it is like. */
const mostStandstills = 3;

/** What is left to measure again in one part of a round. */
export class Repetitions {
  #lostCores: number;
  #standstills = mostStandstills;

  /** @param blocks those of the part. */
  constructor(blocks: number) {
    this.#lostCores = Math.max(leastOfPart, Math.ceil(shareOfBlocks * blocks));
  }

  /** Whether to measure a block again. @param isOpenLoop in open loops a standstill is what callers would have met. @param before how often it has been */
  take({ kind }: Disturbance, isOpenLoop: boolean, before: number): boolean {
    // A limit is what this machine is like: it holds up the next measurement too.
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
