// Answers that callers do not read wait in the memory of the process. If all of them together take too much, the connection that keeps most for longest
// is closed: callers that read lose nothing to those that do not.

interface Waiting {
  readonly close: () => void;
  bytes: number;
  sinceMs: number;
}

class UnreadTotal {
  /** What the unread answers of all connections may take. */
  mostBytes = 256 * 1024 * 1024;
  readonly #waiting = new Map<object, Waiting>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Sets what of a connection's answers waits now. Where it is less than before, the rest waits from now on.
   * @param close closes the connection, after which nothing of it may be set but 0
   */
  set(connection: object, bytes: number, close: () => void): void {
    const before = this.#waiting.get(connection);
    if (bytes === 0) {
      if (before !== undefined) this.#forget(connection, before);
      return;
    }
    this.#bytes += bytes - (before?.bytes ?? 0);
    if (before === undefined) this.#waiting.set(connection, { close, bytes, sinceMs: performance.now() });
    else {
      if (bytes < before.bytes) before.sinceMs = performance.now();
      before.bytes = bytes;
    }
    while (this.#bytes > this.mostBytes) this.#closeOne();
  }

  #forget(connection: object, { bytes }: Waiting): void {
    this.#waiting.delete(connection);
    this.#bytes -= bytes;
  }

  #closeOne(): void {
    const nowMs = performance.now();
    const cost = ({ bytes, sinceMs }: Waiting): number => bytes * (1 + nowMs - sinceMs);
    const [first, ...others] = this.#waiting;
    if (first === undefined) return;
    const [connection, waiting] = others.reduce((most, next) => (cost(next[1]) > cost(most[1]) ? next : most), first);
    this.#forget(connection, waiting);
    waiting.close();
  }
}

export const unreadAnswers = new UnreadTotal();
