// Raises a matrix to a power by repeated multiplication. It is deliberately slow, so that work grows linearly with the exponent.

/** Square matrices of this size, row by row. */
export interface PowerBuffers {
  readonly size: number;
  readonly base: Float64Array;
  /** Two buffers of the same length for products, used in turn. */
  readonly products: readonly [Float64Array, Float64Array];
}

function multiply(size: number, left: Float64Array, right: Float64Array, product: Float64Array): void {
  product.fill(0);
  for (let row = 0; row < size; row++) {
    for (let inner = 0; inner < size; inner++) {
      const factor = left[row * size + inner] as number;
      for (let column = 0; column < size; column++) {
        // Zeros are not skipped, so the time does not depend on the elements.
        product[row * size + column] =
          (product[row * size + column] as number) + factor * (right[inner * size + column] as number);
      }
    }
  }
}

function identity(size: number, matrix: Float64Array): Float64Array {
  matrix.fill(0);
  for (let at = 0; at < size; at++) matrix[at * size + at] = 1;
  return matrix;
}

/**
 * Raises the base to an exponent, which is a whole number from 0. Returns one of the buffers, after exponent − 1 multiplications. Calls `mustStop`
 * before each, and returns undefined once it is true.
 */
export function raiseToPower(
  { size, base, products }: PowerBuffers,
  exponent: number,
  mustStop: () => boolean,
): Float64Array | undefined {
  const [one, other] = products;
  if (exponent === 0) return identity(size, one);
  let power = base;
  for (let factors = 1; factors < exponent; factors++) {
    if (mustStop()) return undefined;
    const product = power === one ? other : one;
    multiply(size, power, base, product);
    power = product;
  }
  return power;
}

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
