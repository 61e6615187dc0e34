// A running block at a pace, and the utilisation of its process.
import type { Alarm, Clock } from "../basics/alarm.ts";

export interface PacedRun {
  /**
   * Resolves when every task has ended, to the share of time (0 to 1) in which the process was too busy to begin one: up to the last begin in an open
   * loop, over the whole block in a closed one.
   */
  readonly ended: Promise<number>;
  /** True while no task is under way, so that no answer is due. */
  readonly isWaiting: () => boolean;
}

/** Starts counting. Returns a function that returns the share of time in which the process has been busy. */
export function newUtilisation(clock: Clock, alarm?: Pick<Alarm, "freeMs">): () => number {
  const freeMs = (): number => clock.idleMs() + (alarm?.freeMs() ?? 0);
  const [startedAtMs, freeBeforeMs] = [clock.nowMs(), freeMs()];
  return () => {
    const elapsedMs = clock.nowMs() - startedAtMs;
    const share = 1 - (freeMs() - freeBeforeMs) / elapsedMs;
    return elapsedMs === 0 ? 1 : Math.min(Math.max(share, 0), 1);
  };
}
