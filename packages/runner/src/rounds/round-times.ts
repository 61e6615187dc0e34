// What the blocks of a round took, and what a round takes with a share of its calls: what it needs to start does not shrink with them, and a
// block of one call does not either.
import type { Arm } from "../arm.ts";
import { tasksAtShare } from "./schedule.ts";

/** One block that has been measured. */
export interface BlockTimes {
  readonly arm: Pick<Arm, "id" | "tasksPerRound" | "tasksPerBlock" | "callsPerTask">;
  /** Those of one lane follow each other, lanes run side by side; undefined for a block that runs with nothing beside it. */
  readonly lane: string | undefined;
  readonly tasks: number;
  /** What its tasks took. */
  readonly tasksMs: number;
  /** All of it, from when it was its turn: with what it waits for, and what is asked of its processes before and after. */
  readonly blockMs: number;
}

/** All blocks of one arm in one round. */
interface ArmTimes extends Pick<BlockTimes, "arm" | "lane"> {
  readonly part: string;
  blocks: number;
  tasks: number;
  tasksMs: number;
  blocksMs: number;
}

function sumOf<A>(values: readonly A[], valueOf: (value: A) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}

/** What an arm takes with this share of its tasks: every block costs what blocks do beside their tasks. */
function armMs({ arm, blocks, tasks, tasksMs, blocksMs }: ArmTimes, share: number): number {
  const tasksThen = tasksAtShare(arm.tasksPerRound, share);
  const blocksThen = Math.ceil(tasksThen / arm.tasksPerBlock);
  return tasksThen * (tasksMs / tasks) + blocksThen * ((blocksMs - tasksMs) / blocks);
}

/** Part by part: what runs alone, and then the longest of the lanes that run side by side. */
function allBlocksMs(all: readonly ArmTimes[], msOf: (times: ArmTimes) => number): number {
  return sumOf([...Map.groupBy(all, ({ part }) => part).values()], (ofPart) => {
    const alone = ofPart.filter(({ lane }) => lane === undefined);
    const lanes = Map.groupBy(ofPart, ({ lane }) => lane);
    lanes.delete(undefined);
    return sumOf(alone, msOf) + Math.max(0, ...[...lanes.values()].map((lane) => sumOf(lane, msOf)));
  });
}

/** Keeps the times of every arm's last round. */
export class RoundTimes {
  /** An arm whose process was killed has no times of a round: it keeps those of the one before. */
  readonly #known = new Map<string, ArmTimes>();
  #ofRound = new Map<string, ArmTimes>();
  /** Of the last round: what no block took. */
  #betweenMs = 0;

  /** Adds a block of the round that runs. @param part names what is started and measured together. */
  add(part: string, { arm, lane, tasks, tasksMs, blockMs }: BlockTimes): void {
    const times = this.#ofRound.get(arm.id) ?? { arm, part, lane, blocks: 0, tasks: 0, tasksMs: 0, blocksMs: 0 };
    times.blocks += 1;
    times.tasks += tasks;
    times.tasksMs += tasksMs;
    times.blocksMs += blockMs;
    this.#ofRound.set(arm.id, times);
  }

  /** Ends the round that runs, which took so long in all. */
  endRound(roundMs: number): void {
    const made = [...this.#ofRound.values()];
    this.#betweenMs = roundMs - allBlocksMs(made, ({ blocksMs }) => blocksMs);
    for (const times of made) this.#known.set(times.arm.id, times);
    this.#ofRound = new Map();
  }

  /** What a round takes with this share of its tasks, above 0 and up to 1, if it goes as the last one did. */
  roundMs(share: number): number {
    return this.#betweenMs + allBlocksMs([...this.#known.values()], (times) => armMs(times, share));
  }

  /** The share of its calls that a round makes with this share of its tasks: a task that is made once is made in any case. */
  shareOfCalls(share: number): number {
    const calls = (of: number): number =>
      sumOf([...this.#known.values()], ({ arm }) => arm.callsPerTask * tasksAtShare(arm.tasksPerRound, of));
    const all = calls(1);
    return all === 0 ? share : calls(share) / all;
  }
}
