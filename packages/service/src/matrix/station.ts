// A station as queueing theory has it: so many servers, one queue, first come first served.
import { CallError } from "@roundtrip/contract";
import { matrixDomain } from "./matrix-domain.ts";

export interface StationOptions {
  /** How many jobs are served at once. */
  readonly servers: number;
  /** How many may wait beside them. */
  readonly queueLimit: number;
}

/** Jobs begin in the order in which they come. */
export class Station {
  readonly #queueLimit: number;
  /** In the order of their coming. */
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor({ servers, queueLimit }: StationOptions) {
    this.#free = servers;
    this.#queueLimit = queueLimit;
  }

  /**
   * Settles as the job does, once it was its turn. Rejects with RESOURCE_EXHAUSTED at once when as many wait as may, and with the signal's
   * reason when it aborts while the job waits: the job has left the queue then. To end what has begun is the job's own affair.
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

  /** Gives the server that has become free to who has waited longest. */
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
