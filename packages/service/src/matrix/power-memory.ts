// The shared memory of a request: one block for the pool and the computing thread, so that no matrix is copied between them.
import type { PowerBuffers } from "./raise-to-power.ts";

/** The bytes of the flag that cancels a request. Elements start at a multiple of their own length. */
const headBytes = Float64Array.BYTES_PER_ELEMENT;

/** The views of a block. Both sides share its memory. */
export interface PowerMemory extends PowerBuffers {
  /** The cancel flag. Once it is set, the thread stops before its next multiplication. */
  abandon(): void;
  isAbandoned(): boolean;
}

export function allocatePowerMemory(size: number): SharedArrayBuffer {
  return new SharedArrayBuffer(headBytes + 3 * size * size * Float64Array.BYTES_PER_ELEMENT);
}

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
