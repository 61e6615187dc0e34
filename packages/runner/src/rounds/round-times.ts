// Predicts the duration of a round with fewer cells or calls from the times of its blocks. The start-up does not shrink, except for the verification
// of left-out cells; nor does a block of one call.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { Effort } from "./effort.ts";
import { tasksAtShare } from "./schedule.ts";

type TimedArm = Pick<PlannedArm, "id" | "tasksPerRound" | "tasksPerBlock" | "callsPerTask" | "priority">;

export interface BlockTimes {
  readonly arm: TimedArm;
  /** Blocks of one lane follow each other, lanes run side by side; undefined for a block that runs alone. */
  readonly lane: string | undefined;
  readonly tasks: number;
  readonly tasksMs: number;
  /** The whole block: with waiting, and with the questions to its processes before and after. */
  readonly blockMs: number;
}

interface ArmTimes extends Pick<BlockTimes, "arm" | "lane"> {
  readonly part: string;
  blocks: number;
  tasks: number;
  tasksMs: number;
  blocksMs: number;
}

export interface WholeRound {
  readonly roundMs: number;
  /** Of this, the time for executing each arm once, and the number of those calls. */
  readonly verificationMs: number;
  readonly verifiedCalls: number;
}

/**
 * The share of the first round's time outside its blocks that later rounds need: files are in memory by then, and code is compiled. It was a third to
 * nine tenths (`roundTimes` of runs on idle, slow and busy machines).
 */
const laterShare = 0.75;

/** The overhead of a block beside its tasks, until one has been measured. */
const expectedBesideMs = 4;

function sumOf<A>(values: readonly A[], valueOf: (value: A) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}

/** The duration of an arm with some tasks in some blocks, including the overhead of each block. */
function costMs(known: ArmTimes, tasks: number, blocks: number): number {
  return tasks * (known.tasksMs / known.tasks) + blocks * ((known.blocksMs - known.tasksMs) / known.blocks);
}

function armMs(known: ArmTimes, share: number): number {
  const tasks = tasksAtShare(known.arm, share);
  return costMs(known, tasks, Math.ceil(tasks / known.arm.tasksPerBlock));
}

/** Part by part: the sum of blocks that run alone, plus the longest of the parallel lanes. */
function allBlocksMs(all: readonly ArmTimes[], msOf: (times: ArmTimes) => number): number {
  return sumOf([...Map.groupBy(all, ({ part }) => part).values()], (ofPart) => {
    const alone = ofPart.filter(({ lane }) => lane === undefined);
    const lanes = Map.groupBy(ofPart, ({ lane }) => lane);
    lanes.delete(undefined);
    return sumOf(alone, msOf) + Math.max(0, ...[...lanes.values()].map((lane) => sumOf(lane, msOf)));
  });
}

function callsOf(all: readonly ArmTimes[], share?: number): number {
  return sumOf(all, ({ arm }) => arm.callsPerTask * (share === undefined ? 1 : tasksAtShare(arm, share)));
}

/** Keeps the times of every arm's last round. */
export class RoundTimes {
  /** An arm whose process was killed has no times in a round: it keeps earlier or estimated ones. */
  readonly #known = new Map<string, ArmTimes>();
  #ofRound = new Map<string, ArmTimes>();
  /** The time of the last round outside its blocks. */
  #between: WholeRound = { roundMs: 0, verificationMs: 0, verifiedCalls: 0 };
  #roundsEnded = 0;

  /** Expects unmeasured arms to take as long as their calls took in the warm-up. @param msPerCall of one arm's processes. */
  expect(part: string, arms: readonly PlannedArm[], msPerCall: (arm: PlannedArm) => number): void {
    for (const arm of arms) {
      const { id, tasksPerRound: tasks, tasksPerBlock, callsPerTask } = arm;
      if (this.#known.has(id)) continue;
      const blocks = Math.ceil(tasks / tasksPerBlock);
      const tasksMs = tasks * callsPerTask * msPerCall(arm);
      const blocksMs = tasksMs + blocks * expectedBesideMs;
      this.#known.set(id, { arm, part, lane: undefined, blocks, tasks, tasksMs, blocksMs });
    }
  }

  /** Uses the time of a round up to its first block as the time outside blocks of every round. */
  started(timeSinceRoundStart: WholeRound): void {
    this.#between = timeSinceRoundStart;
  }

  /** Adds a block of the current round. @param part names what is started and measured together. */
  add(part: string, { arm, lane, tasks, tasksMs, blockMs }: BlockTimes): void {
    const times = this.#ofRound.get(arm.id) ?? { arm, part, lane, blocks: 0, tasks: 0, tasksMs: 0, blocksMs: 0 };
    times.blocks += 1;
    times.tasks += tasks;
    times.tasksMs += tasksMs;
    times.blocksMs += blockMs;
    this.#ofRound.set(arm.id, times);
  }

  endRound({ roundMs, ...verification }: WholeRound): void {
    const made = [...this.#ofRound.values()];
    // Arms that were not measured in this round are scaled by its pace.
    const pace = this.#pace;
    for (const times of this.#known.values()) {
      times.tasksMs *= pace;
      times.blocksMs *= pace;
    }
    this.#between = { ...verification, roundMs: roundMs - allBlocksMs(made, ({ blocksMs }) => blocksMs) };
    for (const times of made) this.#known.set(times.arm.id, times);
    this.#ofRound = new Map();
    this.#roundsEnded += 1;
  }

  /** The expected duration of a later round with this effort, from the last round or the current one so far. */
  roundMs({ lowestPriority, share }: Effort): number {
    const { roundMs, verificationMs, verifiedCalls } = this.#between;
    const kept = this.#upTo(lowestPriority);
    const saved = verifiedCalls === 0 ? 0 : Math.max(0, 1 - callsOf(kept) / verifiedCalls);
    const betweenMs = (this.#roundsEnded > 1 ? 1 : laterShare) * (roundMs - saved * verificationMs);
    return betweenMs + this.#pace * allBlocksMs(kept, (times) => armMs(times, share));
  }

  /** The remaining duration of the current round's blocks with this effort, if they take as long as before. */
  undoneMs({ lowestPriority, share }: Effort): number {
    const wholeMs = allBlocksMs(this.#upTo(lowestPriority), (times) => armMs(times, share));
    return Math.max(0, wholeMs - this.#expectedMs) * this.#pace;
  }

  /** The share of its calls that a round makes with this share of its tasks: a single task is always made. */
  shareOfCalls({ lowestPriority, share }: Effort): number {
    const measured = this.#upTo(lowestPriority);
    const all = callsOf(measured, 1);
    return all === 0 ? share : callsOf(measured, share) / all;
  }

  /** The expected duration of the current round's blocks so far. */
  get #expectedMs(): number {
    const expectedMs = [...this.#ofRound.values()].flatMap(({ arm: { id }, tasks, blocks }) => {
      const known = this.#known.get(id);
      return known === undefined ? [] : [costMs(known, tasks, blocks)];
    });
    return sumOf(expectedMs, (ms) => ms);
  }

  /** The duration of the current round's blocks so far, over the expected one. */
  get #pace(): number {
    const expectedMs = this.#expectedMs;
    const made = [...this.#ofRound.values()].filter(({ arm }) => this.#known.has(arm.id));
    return expectedMs === 0 ? 1 : sumOf(made, ({ blocksMs }) => blocksMs) / expectedMs;
  }

  #upTo(lowestPriority: number): readonly ArmTimes[] {
    return [...this.#known.values()].filter(({ arm }) => arm.priority <= lowestPriority);
  }
}
