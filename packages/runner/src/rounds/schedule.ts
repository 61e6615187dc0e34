// In which order the blocks of a round run: random from the run's seed, with the variants of one task next to each other,
// so that drift and bursts of noise hit what is compared alike.
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Arm } from "../arm.ts";

/** One uninterrupted stretch of one arm. */
export interface ScheduledBlock {
  readonly arm: Arm;
  readonly tasks: number;
  /** Numbers an arm's blocks in a round, from 0: blocks of one turn have one schedule of tasks, on every stack. */
  readonly turn: number;
}

/** A shuffled copy (Fisher and Yates), the same for the same seed. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const generator = xoroshiro128plus(seed);
  const result = [...values];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = uniformInt(generator, 0, last);
    const held = result[last] as T;
    result[last] = result[other] as T;
    result[other] = held;
  }
  return result;
}

/** Seeds for the parts of a run, far enough apart that no two parts share one. */
export function seedOf(seed: number, ...parts: readonly number[]): number {
  // SplitMix32's mixing step over the parts: https://doi.org/10.1145/2660193.2660195
  return parts.reduce((state, part) => {
    let mixed = (state + Math.imul(part + 1, 0x9e3779b9)) | 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  }, seed | 0);
}

/** The blocks of one round. @param share of each arm's tasks that there is time for, above 0 and up to 1. */
export function scheduleRound(arms: readonly Arm[], seed: number, round: number, share = 1): readonly ScheduledBlock[] {
  const groups = Map.groupBy(arms, (arm) => `${arm.configuration.id} ${arm.answerKey}`);
  // A neighbourhood: one block of every variant of one task on one stack in one configuration.
  const neighbourhoods: ScheduledBlock[][] = [];
  for (const group of groups.values()) {
    const tasksPerRound = Math.ceil((group[0]?.tasksPerRound ?? 0) * share);
    const tasksPerBlock = group[0]?.tasksPerBlock ?? 1;
    for (let done = 0; done < tasksPerRound; done += tasksPerBlock) {
      const tasks = Math.min(tasksPerBlock, tasksPerRound - done);
      const turn = done / tasksPerBlock;
      neighbourhoods.push(group.map((arm) => ({ arm, tasks, turn })));
    }
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
