// In which order the blocks of a round run: random from the run's seed, with what is compared next to each other, the variants of one task or
// its versions, so that drift and bursts of noise hit both alike.
import type { PlannedArm } from "../study/planned-arm.ts";
import { seedOf, shuffled } from "../basics/seeded-order.ts";

/** One uninterrupted stretch of one arm. */
export interface ScheduledBlock {
  readonly arm: PlannedArm;
  readonly tasks: number;
  /** Numbers an arm's blocks in a round, from 0: blocks of one turn have one schedule of tasks, on every stack. */
  readonly turn: number;
}

/**
 * How many of a round's tasks are made with this share of the calls, above 0 and up to 1: one at least. Tasks of several calls are given up first: with
 * a small share every arm makes about as many calls, and a mean of theirs is known as well as one of single calls.
 */
export function tasksAtShare(
  { tasksPerRound, callsPerTask }: Pick<PlannedArm, "tasksPerRound" | "callsPerTask">,
  share: number,
): number {
  return Math.ceil((tasksPerRound * share) / (1 + (callsPerTask - 1) * (1 - share)));
}

/** What stands next to each other: all variants of a task on one stack; where there are versions, the versions of one variant. */
function neighbourhoodOf({ configuration, answerKey, variant }: PlannedArm): string {
  const { id, versionlessId, version } = configuration;
  return version === undefined ? `${id} ${answerKey}` : `${versionlessId} ${answerKey} ${variant}`;
}

/**
 * The blocks of a round that may end before its last cells: those of one priority after those of the one before, and in a random order among
 * themselves, so that what is left out is left out on all stacks.
 */
export function scheduleByPriority(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share = 1,
): readonly ScheduledBlock[] {
  const byPriority = [...Map.groupBy(arms, ({ priority }) => priority)].toSorted(([one], [other]) => one - other);
  return byPriority.flatMap(([priority, some]) => scheduleRound(some, seedOf(seed, priority), round, share));
}

/** The blocks of one arm in one round. */
function blocksOf(arm: PlannedArm, share: number): readonly ScheduledBlock[] {
  const { tasksPerBlock } = arm;
  const tasksPerRound = tasksAtShare(arm, share);
  return Array.from({ length: Math.ceil(tasksPerRound / tasksPerBlock) }, (_, turn) => {
    const tasks = Math.min(tasksPerBlock, tasksPerRound - turn * tasksPerBlock);
    return { arm, tasks, turn };
  });
}

/** The blocks of one round. @param share of each arm's tasks that there is time for, above 0 and up to 1. */
export function scheduleRound(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share = 1,
): readonly ScheduledBlock[] {
  const groups = Map.groupBy(arms, neighbourhoodOf);
  // A neighbourhood: one block of each of its arms.
  const neighbourhoods: ScheduledBlock[][] = [];
  for (const group of groups.values()) {
    const blocks = group.flatMap((arm) => blocksOf(arm, share));
    neighbourhoods.push(...Map.groupBy(blocks, ({ turn }) => turn).values());
  }
  return shuffled(neighbourhoods, seedOf(seed, round)).flatMap((blocks, index) =>
    neighbours(blocks, seedOf(seed, round, index)),
  );
}

/** A random order that keeps a task's first two variants, façade and chatty, side by side whatever else is measured with them. */
function neighbours(blocks: readonly ScheduledBlock[], seed: number): readonly ScheduledBlock[] {
  const pair = shuffled(blocks.slice(0, 2), seedOf(seed, 1));
  const others = blocks.slice(2).map((block) => [block]);
  return shuffled([pair, ...others], seedOf(seed, 2)).flat();
}
