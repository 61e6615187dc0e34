// A matrix to a power by repeated multiplication: slow on purpose, and the same for each factor, so that work grows linearly.

/** Square matrices of this size, row by row. */
export interface PowerBuffers {
  readonly size: number;
  readonly base: Float64Array;
  /** Two of the same length: products go from one into the other. */
  readonly products: readonly [Float64Array, Float64Array];
}

function multiply(size: number, left: Float64Array, right: Float64Array, product: Float64Array): void {
  product.fill(0);
  for (let row = 0; row < size; row++) {
    for (let inner = 0; inner < size; inner++) {
      const factor = left[row * size + inner] as number;
      for (let column = 0; column < size; column++) {
        // Nothing is skipped, zeros neither: how long it takes says nothing of what is in the matrix.
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
 * The base to the power of a whole exponent from 0 on: one of the buffers, after exponent − 1 multiplications. `mustStop` is asked before
 * each of them; undefined when it says so.
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
