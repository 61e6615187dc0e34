// A cache of computed powers with first-in, first-out eviction.
import { createHash } from "node:crypto";

/** The key of a power: the exponent and the SHA-256 of the matrix. Matrices with zeros of different sign have different keys. */
export function powerKey(base: Float64Array, exponent: number): string {
  // Shared memory can change while it is read, but no thread has this block yet.
  const digest = createHash("sha256").update(base).digest("base64");
  return `${exponent} ${digest}`;
}

/** Keeps the elements of so many powers. */
export class PowerCache {
  readonly #elements = new Map<string, number[]>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): number[] | undefined {
    return this.#elements.get(key);
  }

  /** Adds elements. A key that is already in the cache keeps its position in the queue. */
  add(key: string, elements: number[]): void {
    this.#elements.set(key, elements);
    if (this.#elements.size <= this.#capacity) return;
    const [first] = this.#elements.keys();
    if (first !== undefined) this.#elements.delete(first);
  }
}
