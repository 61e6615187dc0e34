// Wakes at a moment to well below a millisecond: timers of Node.js are late by up to one, so the last stretch is waited for turn by turn.

/** What is left to wait turn by turn. */
const turnsMs = 1.6;

export interface Alarm {
  /** Makes sure of being woken at this moment or before; an earlier one that was set stays. */
  readonly set: (atMs: number) => void;
}

/** `ring` runs at or just after a moment that was set, and returns the next one, if there is any. */
export function newAlarm(ring: (nowMs: number) => number | undefined): Alarm {
  let nextMs: number | undefined;
  let isTurning = false;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    clearTimeout(timer);
    if (nextMs === undefined || isTurning) return;
    const leftMs = nextMs - performance.now();
    if (leftMs > turnsMs) {
      timer = setTimeout(wait, Math.floor(leftMs - turnsMs));
      return;
    }
    isTurning = true;
    setImmediate(turn);
  }

  function turn(): void {
    const nowMs = performance.now();
    if (nextMs !== undefined && nowMs < nextMs) {
      setImmediate(turn);
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

  return { set };
}
