// Counts how often each request was made in a session, so that each retry gets another draw.

/** The number of recent requests that are remembered for certain; up to twice as many are. Others restart at 1. */
export const rememberedAttempts = 10_000;

export class Attempts {
  // Two generations instead of an order: removing the first entry of a large map again and again scans all removed entries.
  #recent = new Map<string, number>();
  #earlier: ReadonlyMap<string, number> = new Map();

  /** Counts one more attempt for this key, and returns its number, from 1. */
  next(key: string): number {
    const attempt = (this.#recent.get(key) ?? this.#earlier.get(key) ?? 0) + 1;
    this.#recent.set(key, attempt);
    if (this.#recent.size >= rememberedAttempts) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return attempt;
  }
}
