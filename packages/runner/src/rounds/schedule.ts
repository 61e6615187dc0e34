// The order of a round, random from the run's seed, unless a study keeps its own. Studies that share processes are a part that is measured together; others are measured one after
// another, so that no process waits for its study. In a part, compared blocks (the variants of a task, or its versions) are next to each other, so that
// drift and bursts of noise affect both alike.
import { seedOf, shuffled } from "../basics/seeded-order.ts";
import type { PartToPrepare, PreparedPart } from "./prepare-part.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

/** The values that differ between rounds and parts, once the processes are ready. */
export interface PartPlan extends PartToPrepare {
  readonly schedule: readonly ScheduledBlock[];
  /** The number of blocks in the earlier parts of the round. */
  readonly firstBlock: number;
}

/** Decides what is measured before and between the blocks of a part. */
export interface PartControl {
  /** Called when everything is ready. Returns the blocks in order. */
  schedule(prepared: PreparedPart): readonly ScheduledBlock[];
  /** Called before each block. Returning false ends the round early. */
  mayBegin(blocksDone: number): boolean;
}

/** Studies whose processes are started, measured and ended together. */
export interface PartOfRound {
  readonly studies: readonly string[];
  readonly arms: readonly PlannedArm[];
}

/** Sets of studies such that no two sets share a configuration. */
function studiesThatShare(arms: readonly PlannedArm[]): readonly (readonly string[])[] {
  let sets: readonly (readonly string[])[] = [];
  for (const configurationArms of Map.groupBy(arms, (arm) => arm.configuration.id).values()) {
    const studies = configurationArms.map(({ study }) => study);
    const isShared = (set: readonly string[]): boolean => set.some((study) => studies.includes(study));
    const joined = new Set([...sets.filter(isShared).flat(), ...studies]);
    sets = [...sets.filter((set) => !isShared(set)), [...joined]];
  }
  return sets;
}

/** In a random order from the seed. */
export function partsOfRound(arms: readonly PlannedArm[], seed: number, round: number): readonly PartOfRound[] {
  const parts = studiesThatShare(arms).map((studies) => ({
    studies,
    arms: arms.filter(({ study }) => studies.includes(study)),
  }));
  return shuffled(parts, seedOf(seed, round, -2));
}

/** One uninterrupted stretch of one arm. */
export interface ScheduledBlock {
  readonly arm: PlannedArm;
  readonly tasks: number;
  /** Numbers an arm's blocks in a round from 0: blocks of one turn share one schedule of tasks on every stack. */
  readonly turn: number;
}

/**
 * The number of a round's tasks for this share of the calls, above 0 and up to 1; at least one. Tasks of several calls are reduced first: with a
 * small share every arm makes about as many calls, and their mean is as accurate as one of single calls.
 */
export function tasksAtShare(
  { tasksPerRound, callsPerTask }: Pick<PlannedArm, "tasksPerRound" | "callsPerTask">,
  share: number,
): number {
  return Math.ceil((tasksPerRound * share) / (1 + (callsPerTask - 1) * (1 - share)));
}

/** Identifies neighbours: all variants of a task on one stack or, if there are versions, the versions of one variant. */
function neighbourhoodOf({ configuration, answerKey, variant }: PlannedArm): string {
  const { id, versionlessId, version } = configuration;
  return version === undefined ? `${id} ${answerKey}` : `${versionlessId} ${answerKey} ${variant}`;
}

/** The blocks of an arm in a round with this share of its calls, as equal as possible: a last block of one task would say nothing. */
export function blocksFor(arm: PlannedArm, share: number): readonly ScheduledBlock[] {
  const tasksPerRound = tasksAtShare(arm, share);
  const blocks = Math.ceil(tasksPerRound / arm.tasksPerBlock);
  const before = (turn: number): number => Math.ceil((turn * tasksPerRound) / blocks);
  return Array.from({ length: blocks }, (_, turn) => ({ arm, tasks: before(turn + 1) - before(turn), turn }));
}

/** The blocks of one round. @param share of each arm's tasks that there is time for, above 0 and up to 1. */
export function scheduleRound(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share = 1,
): readonly ScheduledBlock[] {
  const inOrder = arms.filter(({ keepsOrder }) => keepsOrder === true);
  const ofStacks = Map.groupBy(inOrder, ({ configuration }) => configuration.id).values();
  const ordered = shuffled([...ofStacks], seedOf(seed, round, -3)).flat();
  const groups = Map.groupBy(
    arms.filter((arm) => !inOrder.includes(arm)),
    neighbourhoodOf,
  );
  const neighbourhoods: ScheduledBlock[][] = [];
  for (const group of groups.values()) {
    const blocks = group.flatMap((arm) => blocksFor(arm, share));
    neighbourhoods.push(...Map.groupBy(blocks, ({ turn }) => turn).values());
  }
  const random = shuffled(neighbourhoods, seedOf(seed, round)).flatMap((blocks, index) =>
    neighbours(blocks, seedOf(seed, round, index)),
  );
  return [...ordered.flatMap((arm) => blocksFor(arm, share)), ...random];
}

/** A random order that keeps a task's first two variants, façade and chatty, side by side whatever else is measured with them. */
function neighbours(blocks: readonly ScheduledBlock[], seed: number): readonly ScheduledBlock[] {
  const pair = shuffled(blocks.slice(0, 2), seedOf(seed, 1));
  const others = blocks.slice(2).map((block) => [block]);
  return shuffled([pair, ...others], seedOf(seed, 2)).flat();
}
