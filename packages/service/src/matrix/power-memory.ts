// Where a thread and those who ask it meet: one block of shared memory for each request, so that no matrix is copied between them.
import type { PowerBuffers } from "./raise-to-power.ts";

/** Room for the word that says whether anybody still wants the power; elements begin at a multiple of their own length. */
const headBytes = Float64Array.BYTES_PER_ELEMENT;

/** What is in the block: both sides see the same. */
export interface PowerMemory extends PowerBuffers {
  /** Sets the word: the thread stops before its next multiplication. */
  abandon(): void;
  isAbandoned(): boolean;
}

/** A block for a matrix of this size and its powers. */
export function allocatePowerMemory(size: number): SharedArrayBuffer {
  return new SharedArrayBuffer(headBytes + 3 * size * size * Float64Array.BYTES_PER_ELEMENT);
}

/** A block as what is in it. */
export function powerMemory(block: SharedArrayBuffer, size: number): PowerMemory {
  const word = new Int32Array(block, 0, 1);
  const length = size * size;
  const matrix = (index: number): Float64Array =>
    new Float64Array(block, headBytes + index * length * Float64Array.BYTES_PER_ELEMENT, length);
  return {
    size,
    base: matrix(0),
    products: [matrix(1), matrix(2)],
    abandon: () => void Atomics.store(word, 0, 1),
    isAbandoned: () => Atomics.load(word, 0) === 1,
  };
}
