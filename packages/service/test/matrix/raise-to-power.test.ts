// Powers of matrices: correct, also against another algorithm, and with a known number of multiplications.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { raiseToPower } from "../../src/matrix/raise-to-power.ts";

function power(size: number, elements: readonly number[], exponent: number, mustStop = () => false) {
  const empty = (): Float64Array => new Float64Array(size * size).fill(Number.NaN);
  const base = Float64Array.from(elements);
  const result = raiseToPower({ size, base, products: [empty(), empty()] }, exponent, mustStop);
  expect(base).toEqual(Float64Array.from(elements));
  return result === undefined ? undefined : Array.from(result);
}

/** In whole numbers of any size, by squaring: another algorithm in another arithmetic. */
function exactPower(size: number, elements: readonly number[], exponent: number): readonly bigint[] {
  const rows = Array.from({ length: size }, (_, row) => row);
  const times = (left: readonly bigint[], right: readonly bigint[]): readonly bigint[] =>
    rows.flatMap((row) =>
      rows.map((column) =>
        rows.reduce((sum, at) => sum + (left[row * size + at] ?? 0n) * (right[at * size + column] ?? 0n), 0n),
      ),
    );
  if (exponent === 0) return rows.flatMap((row) => rows.map((column) => (row === column ? 1n : 0n)));
  if (exponent === 1) return elements.map(BigInt);
  const half = exactPower(size, elements, Math.floor(exponent / 2));
  const square = times(half, half);
  return exponent % 2 === 0 ? square : times(square, elements.map(BigInt));
}

const squareOf = (item: fc.Arbitrary<number>, maxSize: number) =>
  fc.integer({ min: 1, max: maxSize }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      elements: fc.array(item, { minLength: size * size, maxLength: size * size }),
    }),
  );

it("are exactly what whole numbers give by squaring", () => {
  const matrices = squareOf(fc.integer({ min: -3, max: 3 }), 5);
  fc.assert(
    fc.property(matrices, fc.integer({ min: 0, max: 11 }), ({ size, elements }, exponent) => {
      const exact = exactPower(size, elements, exponent).map(Number);
      expect(power(size, elements, exponent)?.map((one) => one + 0)).toEqual(exact);
    }),
  );
});

it("are the identity for 0 and the matrix itself for 1, down to the sign of its zeros", () => {
  expect(power(2, [5, -0, 7, 8], 0)).toEqual([1, 0, 0, 1]);
  expect(power(2, [5, -0, 7, 8], 1)).toEqual([5, -0, 7, 8]);
  expect(power(1, [3], 4)).toEqual([81]);
});

it.each([0, 1, 2, 3, 100, 2000])("of %i take one multiplication less than that", (exponent) => {
  let multiplications = 0;
  power(3, [0, 1, 0, 0, 0, 1, 1, 0, 0], exponent, () => {
    multiplications += 1;
    return false;
  });
  expect(multiplications).toBe(Math.max(0, exponent - 1));
});

it("stop between two multiplications when they must", () => {
  let multiplications = 0;
  const stopped = power(2, [1, 1, 0, 1], 1000, () => {
    multiplications += 1;
    return multiplications > 10;
  });
  expect({ stopped, multiplications }).toEqual({ stopped: undefined, multiplications: 11 });
});
