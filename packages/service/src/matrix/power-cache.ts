// Powers that were computed before. The first in is the first out, however often it was asked for since.
import { createHash } from "node:crypto";

/** As many as in the measurements of 2015. */
export const cachedPowers = 200;

/** What a power is kept under: the exponent and the SHA-256 of the matrix. Matrices that differ in the sign of a zero differ. */
export function powerKey(base: Float64Array, exponent: number): string {
  // Shared memory may change while it is read; nobody else has it yet.
  const digest = createHash("sha256").update(base).digest("base64");
  return `${exponent} ${digest}`;
}

/** Keeps the elements of {@link cachedPowers} powers. */
export class PowerCache {
  readonly #elements = new Map<string, number[]>();

  /** The elements kept under this key. */
  get(key: string): number[] | undefined {
    return this.#elements.get(key);
  }

  /** What is kept already keeps its place in the line. */
  add(key: string, elements: number[]): void {
    this.#elements.set(key, elements);
    if (this.#elements.size <= cachedPowers) return;
    const [first] = this.#elements.keys();
    if (first !== undefined) this.#elements.delete(first);
  }
}
