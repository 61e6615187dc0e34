// The rounds of a run, part by part: until all are done, the budget is spent, or the run is interrupted.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { Budget } from "./budget.ts";
import type { Effort } from "./effort.ts";
import { partsOfRound, type PartOfRound, type PartControl } from "./parts-of-round.ts";
import type { Placements } from "../processes/cores.ts";
import { RoundLog } from "../run-directory/round-log.ts";
import { runPart, type RoundSettings } from "./round.ts";
import { roundSamples } from "../run-directory/run-directory.ts";
import type { RunRecord } from "../run-directory/run-record.ts";
import { isProcessLoss } from "../basics/runner-error.ts";
import type { SideBySideRun } from "../version/side-by-side-run.ts";
import { scheduleByPriority, scheduleRound } from "./schedule.ts";

/** The progress of a run, which the command line shows between blocks. */
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

export interface RunRoundsSettings extends RoundSettings {
  readonly placement: Placements;
  readonly budget: Budget;
  readonly record: RunRecord;
  readonly onProgress: (progress: Progress) => void;
  /** How many servers share the time of warming up; of fewer, each keeps its share. */
  readonly warmedUpTogether: number;
  /** Asked after each round whether there is to be another; undefined where all that are planned are run. */
  readonly sideBySide: Pick<SideBySideRun, "mostLostRounds" | "isSettled" | "afterRound"> | undefined;
}

/** How many servers there are. */
export function serversOf(arms: readonly PlannedArm[]): number {
  return new Set(arms.map(({ configuration }) => configuration.id)).size;
}

/** A round that is under way. */
interface RoundUnderWay {
  readonly rounds: RunRoundsSettings;
  readonly round: number;
  readonly roundsInAll: number;
  readonly log: RoundLog;
  readonly parts: readonly PartOfRound[];
  /** Blocks of each part: as they are scheduled, less those that were left out. */
  readonly lengths: number[];
  /** Calls whose answers are compared. */
  readonly verifiedCalls: number;
  readonly startedMs: number;
}

/** One part of it. */
interface PartUnderWay extends PartOfRound {
  readonly index: number;
  /** How many blocks of the round the parts before had. */
  readonly firstBlock: number;
}

function blocksOf({ lengths }: RoundUnderWay): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Reports the progress of the run. @param blocksDone of the part */
function reportProgress(underWay: RoundUnderWay, { studies, firstBlock }: PartUnderWay, blocksDone: number): void {
  const { rounds, round, roundsInAll, parts } = underWay;
  const done = (round + (firstBlock + blocksDone) / blocksOf(underWay)) / roundsInAll;
  const { elapsedMs } = rounds.record;
  const named = parts.length === 1 ? [] : studies;
  const remainingMs = rounds.budget.remainingMs(done);
  rounds.onProgress({ round, rounds: roundsInAll, studies: named, done, elapsedMs, remainingMs });
}

/** The control over the blocks of a part. */
function controlOf(underWay: RoundUnderWay, part: PartUnderWay): PartControl {
  const { rounds, round, log, parts, lengths, verifiedCalls, startedMs } = underWay;
  const { seed, signal, budget, record, engine, sideBySide } = rounds;
  const { arms, index, firstBlock } = part;
  // What a first round has no time for is what comes last in it.
  const inOrder = round === 0 && sideBySide === undefined ? scheduleByPriority : scheduleRound;
  return {
    schedule({ msPerCall }) {
      const { verificationMs } = log.clock.spent;
      const soFar = { roundMs: record.elapsedMs - startedMs, verificationMs, verifiedCalls };
      const ready = { arms, msPerCall: engine === undefined ? msPerCall : undefined, soFar };
      const { lowestPriority, share } = budget.ready({ ...ready, isAll: parts.length === 1 });
      const measured = arms.filter(({ priority }) => priority <= lowestPriority);
      const schedule = inOrder(measured, seed, round, share);
      lengths[index] = schedule.length;
      return schedule;
    },
    isLeftOut(arm) {
      const isLeftOut = budget.isLeftOut(arm);
      if (isLeftOut) lengths[index] = (lengths[index] ?? 0) - 1;
      return isLeftOut;
    },
    mayBegin(blocksDone) {
      reportProgress(underWay, part, blocksDone);
      return budget.hasTimeForBlock(firstBlock + blocksDone, blocksOf(underWay)) && !signal.aborted;
    },
    mayRepeat: () => !budget.isSpent && !signal.aborted,
    stoodStill: (ms) => budget.addStandstill(ms),
    took: (block) => budget.addBlock(block),
  };
}

/** Runs one round and keeps its log. Resolves to whether it is complete; what it has seen is in the record in any case. */
async function runRound(rounds: RunRoundsSettings, round: number, effort: Effort, log: RoundLog): Promise<boolean> {
  const { seed, budget, record, placement, sideBySide } = rounds;
  const { arms } = record.log.outline;
  // Those that are run with what time remains are not planned.
  const roundsInAll = Math.max(record.log.outline.roundsPlanned, round + 1);
  const kept = arms.filter(({ priority }) => priority <= effort.lowestPriority);
  const open = sideBySide === undefined ? kept : kept.filter((arm) => !sideBySide.isSettled(arm));
  // All warm up at once: with fewer of them each would have more of the processors in the same time.
  const warmUpMs = (rounds.warmUpMs * serversOf(open)) / rounds.warmedUpTogether;
  const verifiedCalls = open.reduce((sum, { callsPerTask }) => sum + callsPerTask, 0);
  const parts = partsOfRound(open, seed, round);
  const lengths = parts.map((part) => scheduleRound(part.arms, seed, round, effort.share).length);
  const startedMs = record.elapsedMs;
  const underWay = { rounds, round, roundsInAll, log, parts, lengths, verifiedCalls, startedMs };
  const isShort = effort.share < 1 || kept.length < arms.length;
  let firstBlock = 0;
  try {
    for (const [index, part] of parts.entries()) {
      const partUnderWay = { ...part, index, firstBlock };
      reportProgress(underWay, partUnderWay, 0);
      budget.beginPart(part.studies.join(" "));
      const plan = { round, arms: part.arms, firstBlock, placement: placement.ofRound(round), isShort };
      if (!(await runPart({ ...rounds, warmUpMs }, plan, log, controlOf(underWay, partUnderWay)))) return false;
      firstBlock += lengths[index] ?? 0;
    }
    budget.endRound({ verificationMs: log.clock.spent.verificationMs, verifiedCalls });
    return true;
  } finally {
    record.leaveOut(budget.leftOut(arms));
    record.add(log);
  }
}

/**
 * Runs rounds until all are done, the budget is spent, the run is interrupted, or no more are needed: then it resolves to true. Rejects as {@link runPart}
 * does.
 */
export async function runRounds(rounds: RunRoundsSettings): Promise<boolean> {
  const { signal, budget, record, sideBySide } = rounds;
  const { startedAt } = record.log.outline;
  let lost = 0;
  for (let round = 0; !signal.aborted; round += 1) {
    const effort = budget.beginRound(round);
    if (effort === undefined) return false;
    const log = new RoundLog(round, Date.parse(startedAt));
    try {
      if (!(await runRound(rounds, round, effort, log))) return false;
    } catch (thrown) {
      lost += 1;
      if (!isProcessLoss(thrown) || round === 0 || lost > (sideBySide?.mostLostRounds ?? 0)) throw thrown;
      record.log.warnings.push({ code: "round-lost", message: `round ${round + 1} was lost: ${thrown.message}` });
      continue;
    }
    record.log.roundsDone += 1;
    record.log.roundTimes.push({ round, ...log.clock.spent });
    record.write();
    const { facts } = record;
    if (sideBySide?.afterRound({ facts, calls: roundSamples(log.rows(), facts.arms) }) === "enough") return true;
  }
  return false;
}
