// How often each request was made in a session, so that trying again is another chance.

/** Requests that are remembered; of more, those that were not made for the longest time begin anew. */
export const mostRemembered = 10_000;

export class Attempts {
  readonly #made = new Map<string, number>();

  /** Counts one more attempt at what this key stands for, and tells which it is, from 1 on. */
  next(key: string): number {
    const attempt = (this.#made.get(key) ?? 0) + 1;
    // Last in the map is latest.
    this.#made.delete(key);
    this.#made.set(key, attempt);
    if (this.#made.size > mostRemembered) {
      const [oldest] = this.#made.keys();
      this.#made.delete(oldest as string);
    }
    return attempt;
  }
}
