// The clock and timers that waiting code uses, so that a test can replace them.

export interface Clock {
  readonly nowMs: () => number;
  /** Runs this after all events that have arrived by then. */
  readonly turn: (run: () => void) => void;
  /** Runs this after about this time; timers are late by up to a millisecond or more. Returns a function that cancels it. */
  readonly sleep: (ms: number, run: () => void) => () => void;
  /** The idle time of the process so far, without turns. */
  readonly idleMs: () => number;
}

export const machineClock: Clock = {
  nowMs: performance.now.bind(performance),
  turn: (run) => void setImmediate(run),
  sleep(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  idleMs: () => performance.eventLoopUtilization().idle,
};
