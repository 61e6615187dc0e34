// Delays have the distributions that they are named after.
import { assert, double, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { delayMs, normalQuantile } from "../../src/faults/delays.ts";
import { type Delay, longestDelayMs } from "../../src/faults/fault-schema.ts";

/** The mean over all probabilities, in equal steps. */
function meanOf(delay: Delay, steps = 100_000): number {
  let sum = 0;
  for (let index = 0; index < steps; index += 1) sum += delayMs(delay, (index + 0.5) / steps);
  return sum / steps;
}

const kinds: readonly Delay[] = [
  { ms: 30 },
  { uniform: { fromMs: 10, toMs: 50 } },
  { exponential: { meanMs: 20 } },
  { lognormal: { medianMs: 20, p99Ms: 200 } },
  { measured: { valuesMs: [1, 2, 3, 10] } },
];

describe("a delay", () => {
  it.each(kinds)("of the kind $kind never decreases with the probability, and is never negative", (delay) => {
    const probability = double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    assert(
      property(probability, probability, (a, b) => {
        const [less, more] = [delayMs(delay, Math.min(a, b)), delayMs(delay, Math.max(a, b))];
        expect(less).toBeGreaterThanOrEqual(0);
        expect(more).toBeGreaterThanOrEqual(less);
      }),
    );
  });

  it("is constant, or uniform between two bounds", () => {
    expect(delayMs({ ms: 30 }, 0.9)).toBe(30);
    expect([0, 0.25, 0.5].map((p) => delayMs({ uniform: { fromMs: 10, toMs: 50 } }, p))).toEqual([10, 20, 30]);
    expect(meanOf({ uniform: { fromMs: 10, toMs: 50 } })).toBeCloseTo(30);
  });

  it("is exponential with its mean, and a median of ln 2 times the mean", () => {
    expect(meanOf({ exponential: { meanMs: 20 } })).toBeCloseTo(20, 1);
    expect(delayMs({ exponential: { meanMs: 20 } }, 0.5)).toBeCloseTo(20 * Math.LN2);
  });

  it("is lognormal with the given median and 99th percentile, and the resulting mean", () => {
    const delay = { lognormal: { medianMs: 20, p99Ms: 200 } } as const;
    expect(delayMs(delay, 0.5)).toBeCloseTo(20);
    expect(delayMs(delay, 0.99)).toBeCloseTo(200);
    const sigma = Math.log(10) / 2.326_347_874;
    expect(meanOf(delay) / (20 * Math.exp(sigma ** 2 / 2))).toBeCloseTo(1, 2);
  });

  it("is constant if the median and the 99th percentile are equal", () => {
    expect(delayMs({ lognormal: { medianMs: 20, p99Ms: 20 } }, 0.999)).toBe(20);
  });

  it("is one of the measured values, all equally likely", () => {
    const measured = [0, 0.25, 0.5, 0.999].map((p) => delayMs({ measured: { valuesMs: [1, 2, 3, 10] } }, p));
    expect(measured).toEqual([1, 2, 3, 10]);
  });

  it("is at most one hour", () => {
    expect(delayMs({ exponential: { meanMs: longestDelayMs } }, 0.99)).toBe(longestDelayMs);
    expect(delayMs({ lognormal: { medianMs: 1, p99Ms: longestDelayMs } }, 1 - 2 ** -48)).toBe(longestDelayMs);
  });
});

describe("the normal quantile", () => {
  // Values from standard tables; the last ones from Python's statistics.NormalDist.
  it.each([
    [0.5, 0],
    [0.841_344_746, 1],
    [0.975, 1.959_963_985],
    [0.99, 2.326_347_874],
    [0.01, -2.326_347_874],
    [1e-9, -5.997_807_015],
    [1e-14, -7.650_628_097],
  ])("of %d is %d", (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 5);
  });

  it("is symmetric around the middle", () => {
    assert(
      property(double({ min: 1e-6, max: 0.5, noNaN: true }), (p) => {
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 5);
      }),
    );
  });
});
