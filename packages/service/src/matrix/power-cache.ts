// A cache of computed powers with first-in, first-out eviction.
import { createHash } from "node:crypto";

/** The size of the cache in the measurements of 2015. */
export const cachedPowers = 200;

/** The key of a power: the exponent and the SHA-256 of the matrix. Matrices with zeros of different sign have different keys. */
export function powerKey(base: Float64Array, exponent: number): string {
  // Shared memory can change while it is read, but no thread has this block yet.
  const digest = createHash("sha256").update(base).digest("base64");
  return `${exponent} ${digest}`;
}

/** Keeps the elements of {@link cachedPowers} powers. */
export class PowerCache {
  readonly #elements = new Map<string, number[]>();

  get(key: string): number[] | undefined {
    return this.#elements.get(key);
  }

  /** Adds elements. A key that is already in the cache keeps its position in the queue. */
  add(key: string, elements: number[]): void {
    this.#elements.set(key, elements);
    if (this.#elements.size <= cachedPowers) return;
    const [first] = this.#elements.keys();
    if (first !== undefined) this.#elements.delete(first);
  }
}
