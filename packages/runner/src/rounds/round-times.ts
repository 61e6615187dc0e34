// What the blocks of a round took, and what a round takes with fewer cells or calls: what it needs to start shrinks with neither, but for the
// verification of cells that are left out, and a block of one call does not shrink either.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { Effort } from "./effort.ts";
import { tasksAtShare } from "./schedule.ts";

type TimedArm = Pick<PlannedArm, "id" | "tasksPerRound" | "tasksPerBlock" | "callsPerTask" | "priority">;

/** One block that has been measured. */
export interface BlockTimes {
  readonly arm: TimedArm;
  /** Those of one lane follow each other, lanes run side by side; undefined for a block that runs with nothing beside it. */
  readonly lane: string | undefined;
  readonly tasks: number;
  /** What its tasks took. */
  readonly tasksMs: number;
  /** The whole block: with waiting, and with the questions to its processes before and after. */
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

/** What a round took. */
export interface WholeRound {
  readonly roundMs: number;
  /** Of this, what executing each of its arms once took, and the calls that this made. */
  readonly verificationMs: number;
  readonly verifiedCalls: number;
}

/**
 * Of what the first round takes beside its blocks, what later ones take: files are in memory by then, and code is compiled. It was a third to nine tenths
 * (`roundTimes` of runs on idle, slow and busy machines).
 */
const laterShare = 0.75;

/** Of a block, beside its tasks, until one has been measured. */
const expectedBesideMs = 4;

function sumOf<A>(values: readonly A[], valueOf: (value: A) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}

/** The duration of an arm with some tasks in some blocks, including the overhead of each block. */
function costMs(known: ArmTimes, tasks: number, blocks: number): number {
  return tasks * (known.tasksMs / known.tasks) + blocks * ((known.blocksMs - known.tasksMs) / known.blocks);
}

/** What an arm takes with this share of its tasks. */
function armMs(known: ArmTimes, share: number): number {
  const tasks = tasksAtShare(known.arm, share);
  return costMs(known, tasks, Math.ceil(tasks / known.arm.tasksPerBlock));
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

function callsOf(all: readonly ArmTimes[], share?: number): number {
  return sumOf(all, ({ arm }) => arm.callsPerTask * (share === undefined ? 1 : tasksAtShare(arm, share)));
}

/** Keeps the times of every arm's last round. */
export class RoundTimes {
  /** An arm whose process was killed has no times of a round: it keeps those of the one before, or what was expected. */
  readonly #known = new Map<string, ArmTimes>();
  #ofRound = new Map<string, ArmTimes>();
  /** Of the last round: what no block took. */
  #between: WholeRound = { roundMs: 0, verificationMs: 0, verifiedCalls: 0 };
  #roundsEnded = 0;

  /**
   * Expects unmeasured arms to take as long as their calls took in the warm-up.
   * @param msPerCall of one arm's processes.
   */
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

  /** Takes what a round has taken up to its first block for what each takes beside its blocks. */
  started(soFar: WholeRound): void {
    this.#between = soFar;
  }

  /** Adds a block of the round that runs. @param part names what is started and measured together. */
  add(part: string, { arm, lane, tasks, tasksMs, blockMs }: BlockTimes): void {
    const times = this.#ofRound.get(arm.id) ?? { arm, part, lane, blocks: 0, tasks: 0, tasksMs: 0, blocksMs: 0 };
    times.blocks += 1;
    times.tasks += tasks;
    times.tasksMs += tasksMs;
    times.blocksMs += blockMs;
    this.#ofRound.set(arm.id, times);
  }

  /** Ends the round that runs. */
  endRound({ roundMs, ...verification }: WholeRound): void {
    const made = [...this.#ofRound.values()];
    // What was not measured in this round would have been as much slower or faster than expected.
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

  /** What a later round takes with this effort if it goes as the last one did, or as the one that runs does so far. */
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

  /** The share of its calls that a round makes with this share of its tasks: a task that is made once is made in any case. */
  shareOfCalls({ lowestPriority, share }: Effort): number {
    const measured = this.#upTo(lowestPriority);
    const all = callsOf(measured, 1);
    return all === 0 ? share : callsOf(measured, share) / all;
  }

  /** What the blocks of the round that runs were expected to take so far. */
  get #expectedMs(): number {
    const expectedMs = [...this.#ofRound.values()].flatMap(({ arm: { id }, tasks, blocks }) => {
      const known = this.#known.get(id);
      return known === undefined ? [] : [costMs(known, tasks, blocks)];
    });
    return sumOf(expectedMs, (ms) => ms);
  }

  /** How many times as long as expected the blocks of the round that runs have taken so far. */
  get #pace(): number {
    const expectedMs = this.#expectedMs;
    const made = [...this.#ofRound.values()].filter(({ arm }) => this.#known.has(arm.id));
    return expectedMs === 0 ? 1 : sumOf(made, ({ blocksMs }) => blocksMs) / expectedMs;
  }

  #upTo(lowestPriority: number): readonly ArmTimes[] {
    return [...this.#known.values()].filter(({ arm }) => arm.priority <= lowestPriority);
  }
}
