// Simulated time: planned events in order. Simultaneous events happen in the order in which they were planned.
import TinyQueue from "tinyqueue";

interface Planned {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void;
}

export interface Calendar {
  readonly nowMs: () => number;
  readonly plan: (afterMs: number, happen: () => void) => void;
  /** Runs the next event; false when none is planned. */
  readonly step: () => boolean;
}

export function calendar(): Calendar {
  const queue = new TinyQueue<Planned>([], (a, b) => a.atMs - b.atMs || a.order - b.order);
  let [now, planned] = [0, 0];
  return {
    nowMs: () => now,
    plan(afterMs, happen) {
      planned += 1;
      queue.push({ atMs: now + afterMs, order: planned, happen });
    },
    step() {
      const next = queue.pop();
      if (next === undefined) return false;
      now = next.atMs;
      next.happen();
      return true;
    },
  };
}
