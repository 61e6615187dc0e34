// An alarm accurate to microseconds. Timers of Node.js are late by a millisecond or more, so the last stretch is spent turn by turn of the event
// loop, which handles all other events meanwhile.

export interface Clock {
  readonly nowMs: () => number;
  /** Runs this after all events that have arrived by then. */
  readonly turn: (run: () => void) => void;
  /** Runs this after about this time; timers are late by up to a millisecond or more. Returns a function that cancels it. */
  readonly sleep: (ms: number, run: () => void) => () => void;
  /** The idle time of the process so far, without turns. */
  readonly idleMs: () => number;
  /** Keeps the process busy for this long. */
  readonly work: (ms: number) => void;
}

export const machineClock: Clock = {
  nowMs: performance.now.bind(performance),
  turn: (run) => void setImmediate(run),
  sleep(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  idleMs: () => performance.eventLoopUtilization().idle,
  work(ms) {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
  },
};

const turnsMs = 2;

/** A turn that takes longer did work: an empty turn takes a microsecond, one that reads a socket some tens. */
const emptyTurnMs = 0.005;

export interface Alarm {
  /** Rings at this time or before; an earlier time that is already set stays. */
  readonly set: (atMs: number) => void;
  /** The idle part of the time spent turn by turn so far. */
  readonly freeMs: () => number;
}

/** `ring` runs at or just after a set time, and returns the next time, if any. */
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
