// The order of a round's blocks, random from the run's seed. Compared blocks (the variants of a task, or its versions) are next to each other, so
// that drift and bursts of noise affect both alike.
import type { PlannedArm } from "../study/planned-arm.ts";
import { seedOf, shuffled } from "../basics/seeded-order.ts";

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

/** The blocks of one turn on one stack, which stay next to each other. */
type Neighbourhood = readonly ScheduledBlock[];

function blocksOf(arm: PlannedArm, share: number): readonly ScheduledBlock[] {
  const { tasksPerBlock } = arm;
  const tasksPerRound = tasksAtShare(arm, share);
  return Array.from({ length: Math.ceil(tasksPerRound / tasksPerBlock) }, (_, turn) => {
    const tasks = Math.min(tasksPerBlock, tasksPerRound - turn * tasksPerBlock);
    return { arm, tasks, turn };
  });
}

function neighbourhoodsOf(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share: number,
): readonly Neighbourhood[] {
  const groups = Map.groupBy(arms, neighbourhoodOf);
  const neighbourhoods: ScheduledBlock[][] = [];
  for (const group of groups.values()) {
    const blocks = group.flatMap((arm) => blocksOf(arm, share));
    neighbourhoods.push(...Map.groupBy(blocks, ({ turn }) => turn).values());
  }
  return shuffled(neighbourhoods, seedOf(seed, round)).map((blocks, index) =>
    neighbours(blocks, seedOf(seed, round, index)),
  );
}

/** The blocks of one round. @param share of each arm's tasks that there is time for, above 0 and up to 1. */
export function scheduleRound(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share = 1,
): readonly ScheduledBlock[] {
  return neighbourhoodsOf(arms, seed, round, share).flat();
}

function isFirst([block]: Neighbourhood): boolean {
  return block?.turn === 0;
}

/** Both in their order, each evenly distributed. */
function interleaved<A>(some: readonly A[], others: readonly A[]): readonly A[] {
  const placed = [some, others].flatMap((values) =>
    values.map((value, index) => ({ value, at: (index + 0.5) / values.length })),
  );
  return placed.toSorted((one, other) => one.at - other.at).map(({ value }) => value);
}

/**
 * The blocks of a round that may end early: by priority, and randomly within one, so that the same cells are left out on all stacks. Later turns of
 * the first cells are distributed over the round, as in other rounds: all at its beginning, they would be measured by colder code than there.
 */
export function scheduleByPriority(
  arms: readonly PlannedArm[],
  seed: number,
  round: number,
  share = 1,
): readonly ScheduledBlock[] {
  const byPriority = [...Map.groupBy(arms, ({ priority }) => priority)].toSorted(([one], [other]) => one - other);
  const [leading = [], ...others] = byPriority.map(([priority, some]) =>
    neighbourhoodsOf(some, seedOf(seed, priority), round, share),
  );
  if (others.length === 0) return leading.flat();
  const later = leading.filter((blocks) => !isFirst(blocks));
  return [...leading.filter(isFirst), ...interleaved(later, others.flat())].flat();
}

/** A random order that keeps a task's first two variants, façade and chatty, side by side whatever else is measured with them. */
function neighbours(blocks: readonly ScheduledBlock[], seed: number): readonly ScheduledBlock[] {
  const pair = shuffled(blocks.slice(0, 2), seedOf(seed, 1));
  const others = blocks.slice(2).map((block) => [block]);
  return shuffled([pair, ...others], seedOf(seed, 2)).flat();
}
