// Estimates from warm-up passes how long a task of each arm will take. A pass runs every arm once, and its first ones are slow: the fastest time of an
// arm shows its share of a pass, and the later passes show what a pass takes on a machine that other programs use too.

export class TaskTimes {
  readonly #fastestMs = new Map<string, number>();
  readonly #passesMs: number[] = [];
  #passMs = 0;

  /** Adds the time of an arm in the current pass. @param ms of one task */
  add(armId: string, ms: number): void {
    this.#passMs += ms;
    this.#fastestMs.set(armId, Math.min(ms, this.#fastestMs.get(armId) ?? Infinity));
  }

  endPass(): void {
    this.#passesMs.push(this.#passMs);
    this.#passMs = 0;
  }

  /** Milliseconds by arm: its fastest time, scaled by the median of the later half of all passes over the sum of fastest times. */
  get estimates(): Readonly<Record<string, number>> {
    const later = this.#passesMs.slice(Math.floor(this.#passesMs.length / 2)).toSorted((one, other) => one - other);
    const usualMs = later[Math.floor(later.length / 2)] ?? 0;
    const fastestMs = [...this.#fastestMs.values()].reduce((sum, ms) => sum + ms, 0);
    const scale = fastestMs === 0 ? 1 : usualMs / fastestMs;
    return Object.fromEntries([...this.#fastestMs].map(([armId, ms]) => [armId, scale * ms]));
  }
}
