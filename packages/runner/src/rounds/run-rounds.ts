// The rounds of a run, part by part: until all are done, the time is over, or the run is interrupted.
import type { Arm, RunFacts, Samples } from "@roundtrip/runs";
import { ProcessLoss } from "../basics/runner-error.ts";
import type { Placements } from "../processes/cores.ts";
import { type PartControl, type PartOfRound, partsOfRound, scheduleRound } from "./schedule.ts";
import { ownBlockTime, planRun, type RunTime } from "./plan-run.ts";
import type { PreparedPart } from "./prepare-part.ts";
import { type RoundSettings, runPart } from "./round.ts";
import { RoundLog } from "../run-directory/round-log.ts";
import type { RunRecord } from "../run-directory/run-record.ts";
import { roundSamples } from "@roundtrip/runs/sample-rows";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { Version } from "../study/sources.ts";

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
  readonly time: RunTime;
  readonly record: RunRecord;
  readonly onProgress: (progress: Progress) => void;
  /** The number of servers that share the warm-up time; with fewer, each keeps its share. */
  readonly warmedUpTogether: number;
  /** Asked after each round whether to run another; undefined runs all planned rounds. */
  readonly sideBySide: Pick<SideBySideRun, "mostLostRounds" | "isSettled" | "afterRound"> | undefined;
}

type TaskTime = PreparedPart["taskMs"];

export function serversOf(arms: readonly PlannedArm[]): number {
  return new Set(arms.map(({ configuration }) => configuration.id)).size;
}

interface RoundUnderWay {
  readonly rounds: RunRoundsSettings;
  readonly round: number;
  readonly log: RoundLog;
  readonly parts: readonly PartOfRound[];
  /** The number of blocks in each part. */
  readonly lengths: number[];
}

interface PartUnderWay extends PartOfRound {
  readonly index: number;
  /** The number of blocks in the earlier parts of the round. */
  readonly firstBlock: number;
}

function blocksOf({ lengths }: RoundUnderWay): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

function reportProgress(underWay: RoundUnderWay, { studies, firstBlock }: PartUnderWay, blocksDone: number): void {
  const { rounds, round, parts } = underWay;
  const { time, record } = rounds;
  const done = (round + (firstBlock + blocksDone) / blocksOf(underWay)) / time.rounds;
  const { elapsedMs } = record;
  const named = parts.length === 1 ? [] : studies;
  const remainingMs = done === 0 ? undefined : (elapsedMs / done) * (1 - done);
  rounds.onProgress({ round, rounds: time.rounds, studies: named, done, elapsedMs, remainingMs });
}

/** Plans the run, and keeps what there is no time for. Without times of all arms, everything is measured in each round. */
function makePlan({ time, record, engine, sideBySide }: RunRoundsSettings, log: RoundLog, taskMs: TaskTime): void {
  const { arms } = record.outline;
  if (taskMs === undefined || sideBySide !== undefined) return;
  const blockTime = engine?.blockTime ?? ownBlockTime;
  const { spent } = log.clock;
  time.plan = planRun({ ...time.options, arms, taskMs, blockTime, spent, elapsedMs: record.elapsedMs });
  record.plan(time.plan);
}

function controlOf(underWay: RoundUnderWay, part: PartUnderWay): PartControl {
  const { rounds, round, log, parts, lengths } = underWay;
  const { seed, signal, time } = rounds;
  const { arms, index, firstBlock } = part;
  return {
    schedule({ taskMs }) {
      if (round === 0 && parts.length === 1) makePlan(rounds, log, taskMs);
      const { lowestPriority = Infinity, share } = time.plan ?? {};
      const measured = arms.filter(({ priority }) => priority <= lowestPriority);
      const schedule = scheduleRound(measured, seed, round, share);
      lengths[index] = schedule.length;
      return schedule;
    },
    mayBegin(blocksDone) {
      reportProgress(underWay, part, blocksDone);
      time.requireTime(round, (firstBlock + blocksDone) / blocksOf(underWay));
      return !signal.aborted;
    },
  };
}

/** Runs one round and keeps its log. Resolves to whether it is complete; its results are in the record in any case. */
async function runRound(rounds: RunRoundsSettings, round: number, log: RoundLog): Promise<boolean> {
  const { seed, time, record, placement, sideBySide } = rounds;
  const { arms } = record.outline;
  const { lowestPriority = Infinity, share } = time.plan ?? {};
  const kept = arms.filter(({ priority }) => priority <= lowestPriority);
  const open = sideBySide === undefined ? kept : kept.filter((arm) => !sideBySide.isSettled(arm));
  // All warm up at once: with fewer servers, each would get more of the processors in the same time.
  const warmUpMs = (rounds.warmUpMs * serversOf(open)) / rounds.warmedUpTogether;
  const parts = partsOfRound(open, seed, round);
  const lengths = parts.map((part) => scheduleRound(part.arms, seed, round, share).length);
  const underWay = { rounds, round, log, parts, lengths };
  let firstBlock = 0;
  try {
    for (const [index, part] of parts.entries()) {
      const partUnderWay = { ...part, index, firstBlock };
      reportProgress(underWay, partUnderWay, 0);
      const plan = { round, arms: part.arms, firstBlock, placement: placement.ofRound(round) };
      if (!(await runPart({ ...rounds, warmUpMs }, plan, log, controlOf(underWay, partUnderWay)))) return false;
      firstBlock += lengths[index] ?? 0;
    }
    return true;
  } finally {
    record.add(log);
  }
}

/** Until all are done, the time is over, it is interrupted, or enough (resolves to true). Rejects like {@link runPart}, or with `budget-too-small`. */
export async function runRounds(rounds: RunRoundsSettings): Promise<boolean> {
  const { signal, time, record, sideBySide } = rounds;
  const { startedAt } = record.outline;
  let lost = 0;
  for (let round = 0; !signal.aborted && time.begins(round); round += 1) {
    const log = new RoundLog(round, Date.parse(startedAt));
    try {
      if (!(await runRound(rounds, round, log))) return false;
    } catch (thrown) {
      lost += 1;
      if (!(thrown instanceof ProcessLoss) || round === 0 || lost > (sideBySide?.mostLostRounds ?? 0)) throw thrown;
      record.events.push({ kind: "round-lost", round, end: thrown.end });
      continue;
    }
    record.roundsDone += 1;
    record.roundTimes.push({ round, ...log.clock.spent });
    record.write();
    const { facts } = record;
    if (sideBySide?.afterRound({ facts, calls: roundSamples(log.rows(), facts.arms) }) === "enough") return true;
  }
  return false;
}
