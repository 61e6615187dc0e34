// The memory limit that all logs of a fake share. When it is reached, the largest log drops calls, so that a busy session does not affect others.

/** A log that uses the shared memory. */
interface Log {
  readonly keptBytes: number;
  /** Removes the oldest calls until at most this many bytes are left. */
  shrinkTo(bytes: number): void;
}

/** The share of the largest log that stays. It drops many calls at once, because a search for each call would take longer than the call. */
const keptShare = 0.75;

export class LogMemory {
  readonly #maxBytes: number;
  readonly #logs = new Set<Log>();
  #takenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  enter(log: Log): void {
    this.#logs.add(log);
  }

  leave(log: Log): void {
    if (this.#logs.delete(log)) this.#takenBytes -= log.keptBytes;
  }

  /** Counts the bytes that a log adds, or removes if negative. Logs that have left are not counted. */
  take(log: Log, bytes: number): void {
    if (!this.#logs.has(log)) return;
    this.#takenBytes += bytes;
    while (this.#takenBytes > this.#maxBytes) {
      const [largest] = [...this.#logs].toSorted((one, other) => other.keptBytes - one.keptBytes);
      if (largest === undefined || largest.keptBytes === 0) return;
      largest.shrinkTo(Math.floor(largest.keptBytes * keptShare));
    }
  }
}
