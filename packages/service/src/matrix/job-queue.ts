// A queue of jobs: a fixed number runs at once, the others wait, first come, first served.
import { CallError } from "@roundtrip/contract";

export interface JobQueueOptions {
  readonly servers: number;
  /** How many jobs may wait; a further one is refused. */
  readonly queueLimit: number;
}

/** Starts jobs in the order in which they arrive. */
export class JobQueue {
  readonly #queueLimit: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor({ servers, queueLimit }: JobQueueOptions) {
    this.#free = servers;
    this.#queueLimit = queueLimit;
  }

  /**
   * Settles as the job does. Rejects with RESOURCE_EXHAUSTED at once if the queue is full. Rejects with the signal's reason if the signal aborts
   * while the job waits; the job then leaves the queue. A job that has started must watch the signal itself.
   */
  async serve<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await job();
    } finally {
      this.#next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#queueLimit) {
      const metadata = { queueLimit: String(this.#queueLimit) };
      const details = { reason: "QUEUE_FULL", domain: matrixDomain, metadata };
      throw new CallError("RESOURCE_EXHAUSTED", "too many requests are waiting already", details);
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(CallError.from(signal.reason));
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(begin);
    });
  }

  #next(): void {
    const [longest] = this.#waiting;
    if (longest === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(longest);
    longest();
  }
}

export const matrixDomain = "matrix.roundtrip.dev";
