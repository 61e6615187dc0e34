// The figures of one set of samples, held against published ones and against the laws that they obey.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeSamples, quantile, selectQuantile, sortedCopy } from "../src/statistics/describe-samples.ts";
import { letterValues } from "../src/metrics/summarise.ts";

const described = (samples: readonly number[]) => describeSamples(sortedCopy(samples));

/** Fuel consumption of 32 cars (Henderson and Velleman, Biometrics 37, 1981): R's `mtcars$mpg`. */
const milesPerGallon = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4, 30.4, 33.9,
  21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];

test("mean, standard deviation and quantiles are those that R gives", () => {
  const figures = described(milesPerGallon);
  expect(figures.mean).toBeCloseTo(20.090625, 12);
  expect(figures.stddev).toBeCloseTo(6.026948, 6);
  expect(figures).toMatchObject({ n: 32, min: 10.4, p50: 19.2, p75: 22.8, max: 33.9 });
  expect(figures.p25).toBeCloseTo(15.425, 12);
  expect(figures.p90).toBeCloseTo(30.09, 12);
  const oneToTen = sortedCopy([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect([0.25, 0.5, 0.75].map((fraction) => quantile(oneToTen, fraction))).toEqual([3.25, 5.5, 7.75]);
});

test("a box is Tukey's: whiskers end at samples, what lies beyond is counted", () => {
  // A day's hourly temperatures, the usual classroom example of a box plot with outliers on both sides.
  const temperatures = [52, 57, 57, 58, 63, 66, 66, 67, 67, 68, 69, 70, 70, 70, 70, 72, 73, 75, 75, 76, 76, 78, 79, 89];
  expect(described(temperatures)).toMatchObject({
    p25: 66,
    p50: 70,
    p75: 75,
    whiskerLow: 57,
    whiskerHigh: 79,
    outliers: 2,
  });
});

test("a small spread around a large mean keeps its digits", () => {
  // NIST StRD NumAcc4: ten million and three tenths, more or less one tenth; the standard deviation is exactly 0.1.
  const samples = [1e7 + 0.2, ...Array.from({ length: 500 }, () => [1e7 + 0.1, 1e7 + 0.3]).flat()];
  expect(described(samples).mean).toBeCloseTo(1e7 + 0.2, 8);
  expect(described(samples).stddev).toBeCloseTo(0.1, 8);
});

test("no samples and samples that are no numbers are refused", () => {
  expect(() => described([])).toThrow(expect.objectContaining({ code: "no-samples" }));
  expect(() => described([1, Number.NaN])).toThrow(/sample 1 is NaN/);
  expect(() => described([Infinity])).toThrow(expect.objectContaining({ code: "not-a-number" }));
});

const samplesArbitrary = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });

test("a quantile of samples in any order is that of the sorted ones, to the last digit", () => {
  fc.assert(
    fc.property(samplesArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (samples, fraction) => {
      for (const share of [0, 0.5, 1, fraction]) {
        expect(selectQuantile(new Float64Array(samples), share)).toBe(quantile(sortedCopy(samples), share));
      }
    }),
  );
  const many = Float64Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 3_001);
  expect(selectQuantile(many.slice(), 0.95)).toBe(quantile(sortedCopy(many), 0.95));
  expect(() => selectQuantile(new Float64Array(), 0.5)).toThrow(expect.objectContaining({ code: "no-samples" }));
  expect(() => selectQuantile(new Float64Array([1, Number.NaN]), 0.5)).toThrow(/sample 1 is NaN/);
});
const figureNames = ["mean", "min", "p25", "p50", "p75", "p90", "p95", "p99", "max"] as const;

test("figures move with a shift, stretch with a scale and do not mind the order", () => {
  fc.assert(
    fc.property(samplesArbitrary, fc.double({ min: 0.01, max: 100, noNaN: true }), (samples, factor) => {
      const plain = described(samples);
      const scaled = described(samples.map((value) => value * factor));
      const shifted = described(samples.map((value) => value + factor));
      for (const name of figureNames) {
        expect(scaled[name]).toBeCloseTo(plain[name] * factor, 3);
        expect(shifted[name]).toBeCloseTo(plain[name] + factor, 6);
      }
      expect(scaled.stddev).toBeCloseTo(plain.stddev * factor, 3);
      expect(shifted.stddev).toBeCloseTo(plain.stddev, 6);
      expect(described(samples.toReversed())).toEqual(plain);
    }),
  );
});

test("figures are in order: a box inside its whiskers inside the extremes", () => {
  fc.assert(
    fc.property(samplesArbitrary, (samples) => {
      const { min, whiskerLow, p25, p50, p75, p90, p95, p99, max, whiskerHigh, mean, outliers, n } = described(samples);
      const inOrder = [min, p25, p50, p75, p90, p95, p99, max];
      expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
      expect(whiskerLow).toBeGreaterThanOrEqual(min);
      expect(whiskerHigh).toBeLessThanOrEqual(max);
      expect(mean).toBeGreaterThanOrEqual(min);
      expect(mean).toBeLessThanOrEqual(max);
      expect(samples.filter((value) => value >= whiskerLow && value <= whiskerHigh)).toHaveLength(n - outliers);
    }),
  );
});

test("letter values nest outward, and go deeper the more samples there are", () => {
  const depths = [1_000, 100_000].map((length) => {
    const values = letterValues(Float64Array.from({ length }, (_, index) => index));
    for (const [index, value] of values.entries()) {
      expect(value.low).toBeLessThan(values[index - 1]?.low ?? Infinity);
      expect(value.high).toBeGreaterThan(values[index - 1]?.high ?? -Infinity);
    }
    expect(values[0]).toEqual({ depth: 2, low: (length - 1) / 4, high: ((length - 1) * 3) / 4 });
    return values.length;
  });
  expect(depths).toEqual([7, 14]);
});

test("a million samples give finite figures", () => {
  const samples = Float64Array.from({ length: 1_000_000 }, (_, index) => ((index * 7_919) % 1_000_003) / 1e3);
  expect(Object.values(describeSamples(sortedCopy(samples))).every(Number.isFinite)).toBe(true);
});
