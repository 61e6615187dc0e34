// Time that passes only when a test lets it: turns of an event loop that take as long as they are said to, timers that are late.
import type { Clock } from "../../src/basics/alarm.ts";

interface Event {
  readonly atMs: number;
  readonly run: () => void;
}

export interface VirtualClockOptions {
  /** What a turn takes in which nothing happens. */
  readonly turnMs: number;
  readonly timersLateMs: number;
}

export class VirtualClock implements Clock {
  #nowMs = 0;
  #idleMs = 0;
  #turns: (() => void)[] = [];
  #events: Event[] = [];
  readonly #options: VirtualClockOptions;
  turns = 0;

  constructor(options: VirtualClockOptions = { turnMs: 0.001, timersLateMs: 1 }) {
    this.#options = options;
  }

  readonly nowMs = (): number => this.#nowMs;
  readonly idleMs = (): number => this.#idleMs;
  readonly turn = (run: () => void): void => void this.#turns.push(run);
  readonly sleep = (ms: number, run: () => void): (() => void) => this.#at(ms + this.#options.timersLateMs, run);

  /** The process computes: time passes, and nothing else happens. */
  readonly work = (ms: number): void => void (this.#nowMs += ms);

  /** Resolves after this long: the answer of a server that takes its time. */
  answer(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#at(ms, resolve));
  }

  /** Lets time pass until nothing is left to happen. */
  async run(): Promise<void> {
    for (;;) {
      // Promises that are settled have all been heard of by then.
      await new Promise((resolve) => void setImmediate(resolve));
      const due = this.#events.filter(({ atMs }) => atMs <= this.#nowMs);
      const turns = this.#turns;
      const [first] = this.#events.toSorted((one, other) => one.atMs - other.atMs);
      if (due.length > 0) {
        this.#events = this.#events.filter((event) => !due.includes(event));
        for (const { run } of due) run();
      } else if (turns.length > 0) {
        this.#turns = [];
        this.turns += 1;
        this.#nowMs += this.#options.turnMs;
        for (const run of turns) run();
      } else if (first !== undefined) {
        this.#idleMs += first.atMs - this.#nowMs;
        this.#nowMs = first.atMs;
      } else return;
    }
  }

  #at(ms: number, run: () => void): () => void {
    const event = { atMs: this.#nowMs + ms, run };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((one) => one !== event);
    };
  }
}
