// How often each request was made in a session, so that trying again is another chance.

/** Requests that are surely remembered: those made last. Up to twice as many are; the others begin anew. */
export const surelyRemembered = 10_000;

export class Attempts {
  // Two ages instead of an order: taking out the first of a large map, again and again, looks through all that was taken out before.
  #recent = new Map<string, number>();
  #earlier: ReadonlyMap<string, number> = new Map();

  /** Counts one more attempt at what this key stands for, and tells which it is, from 1 on. */
  next(key: string): number {
    const attempt = (this.#recent.get(key) ?? this.#earlier.get(key) ?? 0) + 1;
    this.#recent.set(key, attempt);
    if (this.#recent.size >= surelyRemembered) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return attempt;
  }
}
