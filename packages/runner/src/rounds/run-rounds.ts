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
  /** The studies of the current part, if the round has several parts. */
  readonly studies: readonly string[];
  /** The stack whose capacity is searched before the rounds; absent once they have begun. */
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
  /** The number of servers that share the warm-up time; with fewer, each keeps its share. */
  readonly warmedUpTogether: number;
  /** Asked after each round whether to run another; undefined runs all planned rounds. */
  readonly sideBySide: Pick<SideBySideRun, "mostLostRounds" | "isSettled" | "afterRound"> | undefined;
}

export function serversOf(arms: readonly PlannedArm[]): number {
  return new Set(arms.map(({ configuration }) => configuration.id)).size;
}

interface RoundUnderWay {
  readonly rounds: RunRoundsSettings;
  readonly round: number;
  readonly roundsInAll: number;
  readonly log: RoundLog;
  readonly parts: readonly PartOfRound[];
  /** The number of blocks in each part: the scheduled ones, less those left out. */
  readonly lengths: number[];
  /** Calls whose answers are compared. */
  readonly verifiedCalls: number;
  readonly startedMs: number;
}

interface PartUnderWay extends PartOfRound {
  readonly index: number;
  /** The number of blocks in the earlier parts of the round. */
  readonly firstBlock: number;
}

function blocksOf({ lengths }: RoundUnderWay): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** @param blocksDone blocks of the part that are done */
function reportProgress(underWay: RoundUnderWay, { studies, firstBlock }: PartUnderWay, blocksDone: number): void {
  const { rounds, round, roundsInAll, parts } = underWay;
  const done = (round + (firstBlock + blocksDone) / blocksOf(underWay)) / roundsInAll;
  const { elapsedMs } = rounds.record;
  const named = parts.length === 1 ? [] : studies;
  const remainingMs = rounds.budget.remainingMs(done);
  rounds.onProgress({ round, rounds: roundsInAll, studies: named, done, elapsedMs, remainingMs });
}

function controlOf(underWay: RoundUnderWay, part: PartUnderWay): PartControl {
  const { rounds, round, log, parts, lengths, verifiedCalls, startedMs } = underWay;
  const { seed, signal, budget, record, engine, sideBySide } = rounds;
  const { arms, index, firstBlock } = part;
  // In a first round, the last cells in the schedule are left out.
  const inOrder = round === 0 && sideBySide === undefined ? scheduleByPriority : scheduleRound;
  return {
    schedule({ msPerCall }) {
      const { verificationMs } = log.clock.spent;
      const timeSinceRoundStart = { roundMs: record.elapsedMs - startedMs, verificationMs, verifiedCalls };
      const ready = { arms, msPerCall: engine === undefined ? msPerCall : undefined, timeSinceRoundStart };
      const { lowestPriority, share } = budget.partReady({ ...ready, isAll: parts.length === 1 });
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
    onStandstill: (ms) => budget.addStandstill(ms),
    onBlock: (block) => budget.addBlock(block),
  };
}

/** Runs one round and keeps its log. Resolves to whether it is complete; its results are in the record in any case. */
async function runRound(rounds: RunRoundsSettings, round: number, effort: Effort, log: RoundLog): Promise<boolean> {
  const { seed, budget, record, placement, sideBySide } = rounds;
  const { arms } = record.log.outline;
  // Additional rounds in the remaining time are not planned.
  const roundsInAll = Math.max(record.log.outline.roundsPlanned, round + 1);
  const kept = arms.filter(({ priority }) => priority <= effort.lowestPriority);
  const open = sideBySide === undefined ? kept : kept.filter((arm) => !sideBySide.isSettled(arm));
  // All warm up at once: with fewer servers, each would get more of the processors in the same time.
  const warmUpMs = (rounds.warmUpMs * serversOf(open)) / rounds.warmedUpTogether;
  const verifiedCalls = open.reduce((sum, { callsPerTask }) => sum + callsPerTask, 0);
  const parts = partsOfRound(open, seed, round);
  const lengths = parts.map((part) => scheduleRound(part.arms, seed, round, effort.share).length);
  const startedMs = record.elapsedMs;
  const underWay = { rounds, round, roundsInAll, log, parts, lengths, verifiedCalls, startedMs };
  let firstBlock = 0;
  try {
    for (const [index, part] of parts.entries()) {
      const partUnderWay = { ...part, index, firstBlock };
      reportProgress(underWay, partUnderWay, 0);
      budget.beginPart(part.studies.join(" "));
      const plan = { round, arms: part.arms, firstBlock, placement: placement.ofRound(round) };
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

/** Runs rounds until all are done, the budget is spent, it is interrupted, or no more are needed (resolves to true). Rejects like {@link runPart}. */
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
