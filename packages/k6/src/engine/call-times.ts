// How long a block's calls take, known before it is laid out in time: timed once by the client that has warmed up, and then as k6 was seen to take.
import type { ScheduledBlock } from "@roundtrip/runner/parts";

/** So many tasks of an arm tell about how long one takes. */
export const tasksToTime = 5;

/** Blocks differ, and k6 may take longer than the clients of this project do. */
const reserve = 3;
const leastMs = 20;
const leastCallMs = 2;

export class CallTimes {
  /** Milliseconds of a task, with as many at a time as there are callers; by arm. */
  readonly #taskMs = new Map<string, number>();

  knows(armId: string): boolean {
    return this.#taskMs.has(armId);
  }

  /** Notes that so many tasks took so long. The longest time counts: too short a cell would be lost. */
  note(armId: string, tasks: number, elapsedMs: number): void {
    const before = this.#taskMs.get(armId) ?? 0;
    this.#taskMs.set(armId, Math.max(before, elapsedMs / tasks));
  }

  /** How long a call may take when all virtual users do their task at once, each in its turn at the server. */
  callMsOf({ arm: { id, callsPerTask } }: Pick<ScheduledBlock, "arm">): number {
    return leastCallMs + (reserve * (this.#taskMs.get(id) ?? 0)) / callsPerTask;
  }

  /** How long the calls of a block may take. */
  callsMsOf({ arm: { id }, tasks }: Pick<ScheduledBlock, "arm" | "tasks">): number {
    return leastMs + reserve * tasks * (this.#taskMs.get(id) ?? 0);
  }
}
