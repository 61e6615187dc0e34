// Estimates how long the calls of a block take, from a few timed calls of the warm client, then from k6's own blocks.
import type { ScheduledBlock } from "@roundtrip/runner/parts";

/** The number of tasks to time in order to estimate the length of one. */
export const tasksToTime = 5;

/** A safety factor: blocks differ, and k6 may take longer than this project's clients. */
export const reserve = 3;
export const leastMs = 20;
const leastCallMs = 2;

export class CallTimes {
  /** Milliseconds per task by arm, with all callers at work. */
  readonly #taskMs = new Map<string, number>();

  knows(armId: string): boolean {
    return this.#taskMs.has(armId);
  }

  /** Records how long some tasks took. The longest time counts, because a cell that is too short is lost. */
  note(armId: string, tasks: number, elapsedMs: number): void {
    const before = this.#taskMs.get(armId) ?? 0;
    this.#taskMs.set(armId, Math.max(before, elapsedMs / tasks));
  }

  /** How long a call may take when all virtual users call at once and queue at the server. */
  callMsOf({ arm: { id, callsPerTask } }: Pick<ScheduledBlock, "arm">): number {
    return leastCallMs + (reserve * (this.#taskMs.get(id) ?? 0)) / callsPerTask;
  }

  /** How long the calls of a block may take. */
  callsMsOf({ arm: { id }, tasks }: Pick<ScheduledBlock, "arm" | "tasks">): number {
    return leastMs + reserve * tasks * (this.#taskMs.get(id) ?? 0);
  }
}
