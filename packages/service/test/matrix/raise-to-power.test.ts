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

/** Rows that each sum up to one. */
const stochastic = squareOf(fc.double({ min: 0.01, max: 1, noNaN: true }), 6).map(({ size, elements }) => {
  const sums = Array.from({ length: size }, (_, row) =>
    elements.slice(row * size, (row + 1) * size).reduce((sum, one) => sum + one, 0),
  );
  return { size, elements: elements.map((one, at) => one / (sums[Math.floor(at / size)] ?? 1)) };
});

it("are exactly what whole numbers give by squaring", () => {
  const matrices = squareOf(fc.integer({ min: -3, max: 3 }), 5);
  fc.assert(
    fc.property(matrices, fc.integer({ min: 0, max: 11 }), ({ size, elements }, exponent) => {
      const exact = exactPower(size, elements, exponent).map(Number);
      expect(power(size, elements, exponent)?.map((one) => one + 0)).toEqual(exact);
    }),
  );
});

it("multiply as their exponents add", () => {
  const exponents = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(stochastic, exponents, exponents, ({ size, elements }, one, other) => {
      const left = power(size, elements, one) ?? [];
      const right = power(size, elements, other) ?? [];
      const both = power(size, elements, one + other) ?? [];
      for (const [at, whole] of both.entries()) {
        const row = Math.floor(at / size) * size;
        let product = 0;
        for (let inner = 0; inner < size; inner++) {
          product += (left[row + inner] ?? 0) * (right[inner * size + (at % size)] ?? 0);
        }
        expect(product).toBeCloseTo(whole, 12);
      }
    }),
  );
});

it("keep the rows of a stochastic matrix at one, however often it is multiplied", () => {
  fc.assert(
    fc.property(stochastic, fc.integer({ min: 0, max: 2000 }), ({ size, elements }, exponent) => {
      const result = power(size, elements, exponent) ?? [];
      for (let row = 0; row < size; row++) {
        const sum = result.slice(row * size, (row + 1) * size).reduce((total, one) => total + one, 0);
        expect(sum).toBeCloseTo(1, 9);
      }
    }),
    { numRuns: 50 },
  );
});

it("are the identity for 0 and the matrix itself for 1, down to the sign of its zeros", () => {
  expect(power(2, [5, -0, 7, 8], 0)).toEqual([1, 0, 0, 1]);
  expect(power(2, [5, -0, 7, 8], 1)).toEqual([5, -0, 7, 8]);
  expect(power(1, [3], 4)).toEqual([81]);
});

it("become infinite, and then no number, where a double ends", () => {
  expect(power(1, [1e200], 2)).toEqual([Number.POSITIVE_INFINITY]);
  expect(power(2, [1e200, 0, 0, 1], 3)?.[0]).toBe(Number.POSITIVE_INFINITY);
  expect(power(2, [1e200, 0, 0, 1], 3)?.[1]).toBeNaN();
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
