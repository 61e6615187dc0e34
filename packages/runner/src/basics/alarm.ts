// Wakes at a moment to some microseconds: timers of Node.js are late by a millisecond and more, so the last stretch is waited for turn
// by turn of the event loop, which handles all other events meanwhile.
import { machineClock, type Clock } from "./clock.ts";

/** What is left to wait turn by turn. */
const turnsMs = 2;

/** A turn that takes longer did something: one that finds nothing to do takes a microsecond, one that reads a socket some tens. */
const emptyTurnMs = 0.005;

export interface Alarm {
  /** Makes sure of being woken at this moment or before; an earlier one that was set stays. */
  readonly set: (atMs: number) => void;
  /** How much of the time that was waited turn by turn so far was free for anything else. */
  readonly freeMs: () => number;
}

/** `ring` runs at or just after a moment that was set, and returns the next one, if there is any. */
export function newAlarm(ring: (nowMs: number) => number | undefined, clock: Clock = machineClock): Alarm {
  let nextMs: number | undefined;
  let isTurning = false;
  let cancel: (() => void) | undefined;
  let lastTurnMs = 0;
  let freeMs = 0;

  function wait(): void {
    cancel?.();
    if (nextMs === undefined || isTurning) return;
    const nowMs = clock.nowMs();
    const leftMs = nextMs - nowMs;
    if (leftMs >= turnsMs + 1) {
      cancel = clock.sleep(Math.floor(leftMs - turnsMs), wait);
      return;
    }
    isTurning = true;
    lastTurnMs = nowMs;
    clock.turn(turn);
  }

  function turn(): void {
    const nowMs = clock.nowMs();
    freeMs += Math.min(nowMs - lastTurnMs, emptyTurnMs);
    lastTurnMs = nowMs;
    if (nextMs !== undefined && nowMs < nextMs) {
      clock.turn(turn);
      return;
    }
    isTurning = false;
    nextMs = undefined;
    const afterMs = ring(nowMs);
    if (afterMs !== undefined) set(afterMs);
  }

  function set(atMs: number): void {
    if (nextMs !== undefined && nextMs <= atMs) return;
    nextMs = atMs;
    wait();
  }

  return { set, freeMs: () => freeMs };
}
