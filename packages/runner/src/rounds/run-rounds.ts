// The rounds of a run, part by part: until all are done, the budget is spent, or somebody interrupts.
import type { Budget } from "./budget.ts";
import { partsOfRound } from "./parts-of-round.ts";
import type { Placements } from "../processes/cores.ts";
import { RoundLog } from "../run-directory/round-log.ts";
import { runPart, type RoundSettings, type Turns } from "./round.ts";
import type { RunRecord } from "../run-directory/run-record.ts";
import { scheduleRound } from "./schedule.ts";

/** How far a run is: shown by the command line between blocks. */
export interface Progress {
  readonly round: number;
  readonly rounds: number;
  /** What is measured now, when that is not everything: the studies of one part of a round. */
  readonly studies: readonly string[];
  /** Whose capacity is searched before the rounds; absent once they have begun. */
  readonly searched?: string;
  /** Share of all blocks that are done, 0 to 1. */
  readonly done: number;
  readonly elapsedMs: number;
  /** Estimated from the blocks so far; undefined before the first. */
  readonly remainingMs: number | undefined;
}

export interface Rounds extends RoundSettings {
  readonly placement: Placements;
  readonly budget: Budget;
  readonly record: RunRecord;
  readonly onProgress: (progress: Progress) => void;
}

/** Runs one round. Resolves to whether it is complete; what it has seen is in the record in any case. */
async function runRound(rounds: Rounds, round: number, share: number): Promise<boolean> {
  const { seed, signal, budget, record, placement, onProgress } = rounds;
  const { roundsPlanned, startedAt, arms } = record.log.outline;
  const parts = partsOfRound(arms, seed, round).map((part) => ({
    ...part,
    schedule: scheduleRound(part.arms, seed, round, share),
  }));
  const blocksOfRound = parts.reduce((sum, { schedule }) => sum + schedule.length, 0);
  const log = new RoundLog(round, Date.parse(startedAt));
  let firstBlock = 0;
  try {
    for (const { studies, schedule, arms: armsOfPart } of parts) {
      const before = firstBlock;
      const tell = (blocksDone: number): void => {
        const done = (round + (before + blocksDone) / blocksOfRound) / roundsPlanned;
        const { elapsedMs } = record;
        const named = parts.length === 1 ? [] : studies;
        const remainingMs = budget.remainingMs(done);
        onProgress({ round, rounds: roundsPlanned, studies: named, done, elapsedMs, remainingMs });
      };
      const turns: Turns = {
        mayBegin(blocksDone) {
          tell(blocksDone);
          return budget.hasTimeForBlock(before + blocksDone, blocksOfRound) && !signal.aborted;
        },
        took: (block) => budget.addBlock(block),
      };
      tell(0);
      budget.beginPart(studies.join(" "));
      const plan = { round, arms: armsOfPart, schedule, firstBlock, placement: placement.ofRound(round) };
      if (!(await runPart(rounds, plan, log, turns))) return false;
      firstBlock += schedule.length;
    }
    return true;
  } finally {
    record.add(log);
  }
}

/** Runs rounds until all are done, the budget is spent, or somebody interrupts. Rejects as {@link runPart} does. */
export async function runRounds(rounds: Rounds): Promise<void> {
  const { signal, budget, record } = rounds;
  const { roundsPlanned } = record.log.outline;
  for (let round = 0; round < roundsPlanned && !signal.aborted; round += 1) {
    const share = budget.beginRound(round);
    if (share === 0) return;
    if (!(await runRound(rounds, round, share))) return;
    record.log.roundsDone += 1;
    record.write();
    budget.endRound();
  }
}
