// Simulated time, and a simulated station: servers, one queue, and their time averages. Simultaneous events happen in the order in which they were
// planned.
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

interface TimeAverage {
  change(by: number): void;
  value(): number;
  restart(): void;
  /** The average since the last restart. */
  average(): number;
}

function timeAverage(nowMs: () => number): TimeAverage {
  let [value, area, since, from] = [0, 0, 0, 0];
  const advance = (): void => {
    area += value * (nowMs() - since);
    since = nowMs();
  };
  return {
    change(by) {
      advance();
      value += by;
    },
    value: () => value,
    restart() {
      advance();
      area = 0;
      from = since;
    },
    average() {
      advance();
      return since === from ? value : area / (since - from);
    },
  };
}

export interface Visit {
  readonly phaseOneMs: () => number;
  readonly phaseTwoMs: () => number;
  readonly leave: () => void;
}

export interface ServicePoint {
  arrive(visit: Visit): void;
  /** Busy servers, in both phases. */
  readonly busy: TimeAverage;
  readonly waiting: TimeAverage;
}

export function servicePoint(servers: number, time: Calendar): ServicePoint {
  const busy = timeAverage(time.nowMs);
  const waiting = timeAverage(time.nowMs);
  // A list with a moving head: removing from the front of an array would move all other elements.
  let [line, head]: [Visit[], number] = [[], 0];

  const release = (): void => {
    const next = line[head];
    busy.change(-1);
    if (next === undefined) return;
    head += 1;
    if (head > 1_000 && head * 2 > line.length) [line, head] = [line.slice(head), 0];
    waiting.change(-1);
    serve(next);
  };

  const serve = ({ phaseOneMs, phaseTwoMs, leave }: Visit): void => {
    busy.change(1);
    time.plan(phaseOneMs(), () => {
      const laterMs = phaseTwoMs();
      if (laterMs === 0) release();
      else time.plan(laterMs, release);
      leave();
    });
  };

  return {
    busy,
    waiting,
    arrive(visit) {
      if (busy.value() < servers) serve(visit);
      else {
        line.push(visit);
        waiting.change(1);
      }
    },
  };
}
