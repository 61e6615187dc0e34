// The rounds of a run, part by part: until all are done, the budget is spent, or somebody interrupts.
import type { Arm } from "../arm.ts";
import type { Budget } from "./budget.ts";
import { partsOfRound } from "./parts-of-round.ts";
import type { Placements } from "../processes/cores.ts";
import { RoundLog } from "../run-directory/round-log.ts";
import type { Turns } from "./part-plan.ts";
import { runPart, type RoundSettings } from "./round.ts";
import { roundSamples } from "../run-directory/round-samples.ts";
import type { RunRecord } from "../run-directory/run-record.ts";
import { RunnerError } from "../runner-error.ts";
import type { SideBySide } from "../version/side-by-side.ts";
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
  /** How many servers share the time of warming up; of fewer, each keeps its share. */
  readonly warmedUpTogether: number;
  /** Asked after each round whether there is to be another; undefined where all that are planned are run. */
  readonly sideBySide: Pick<SideBySide, "mostLostRounds" | "isSettled" | "afterRound"> | undefined;
}

/** How many servers there are. */
export function serversOf(arms: readonly Arm[]): number {
  return new Set(arms.map(({ configuration }) => configuration.id)).size;
}

/** Runs one round and keeps its log. Resolves to whether it is complete; what it has seen is in the record in any case. */
async function runRound(rounds: Rounds, round: number, share: number, log: RoundLog): Promise<boolean> {
  const { seed, signal, budget, record, placement, onProgress, sideBySide } = rounds;
  const { roundsPlanned, arms } = record.log.outline;
  const open = sideBySide === undefined ? arms : arms.filter((arm) => !sideBySide.isSettled(arm));
  // All warm up at once: with fewer of them each would have more of the processors in the same time.
  const warmUpMs = (rounds.warmUpMs * serversOf(open)) / rounds.warmedUpTogether;
  const parts = partsOfRound(open, seed, round).map((part) => ({
    ...part,
    schedule: scheduleRound(part.arms, seed, round, share),
  }));
  const blocksOfRound = parts.reduce((sum, { schedule }) => sum + schedule.length, 0);
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
      if (!(await runPart({ ...rounds, warmUpMs }, plan, log, turns))) return false;
      firstBlock += schedule.length;
    }
    return true;
  } finally {
    record.add(log);
  }
}

/** A process that ends, or never answers, before anything of its round is timed. */
function isLoss(thrown: unknown): thrown is RunnerError {
  return thrown instanceof RunnerError && (thrown.code === "process-died" || thrown.code === "no-answer");
}

/**
 * Runs rounds until all are done, the budget is spent, somebody interrupts, or enough is known: then it resolves to true. Rejects as {@link runPart}
 * does.
 */
export async function runRounds(rounds: Rounds): Promise<boolean> {
  const { signal, budget, record, sideBySide } = rounds;
  const { roundsPlanned, startedAt } = record.log.outline;
  let lost = 0;
  for (let round = 0; round < roundsPlanned && !signal.aborted; round += 1) {
    const share = budget.beginRound(round);
    if (share === 0) return false;
    const log = new RoundLog(round, Date.parse(startedAt));
    try {
      if (!(await runRound(rounds, round, share, log))) return false;
    } catch (thrown) {
      lost += 1;
      if (!isLoss(thrown) || round === 0 || lost > (sideBySide?.mostLostRounds ?? 0)) throw thrown;
      record.log.warnings.push({ code: "round-lost", message: `round ${round + 1} was lost: ${thrown.message}` });
      budget.endRound();
      continue;
    }
    record.log.roundsDone += 1;
    record.write();
    budget.endRound();
    const { facts } = record;
    if (sideBySide?.afterRound({ facts, calls: roundSamples(log.rows(), facts.arms) }) === "enough") return true;
  }
  return false;
}
