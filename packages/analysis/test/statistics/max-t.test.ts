// The critical value behind intervals of one table, where it is known without a simulation.
import { describe, expect, it } from "vitest";
import { maxTIntervals } from "../../src/statistics/simultaneous-intervals.ts";
import { randomFrom } from "../../src/statistics/random.ts";

/** ±1 in turn: six rounds with the variance 6 / 5. */
const alternating = [1, -1, 1, -1, 1, -1];

/** As long, as wide, and without any correlation with the other. */
const crossing = [1, 1, -1, -1, 0, 0].map((value) => value * Math.sqrt(6 / 4));
const standardError = Math.sqrt(6 / 5 / 6);

/** Half the width of the first interval of a family, in standard errors of its mean. */
function criticalOf(family: readonly (readonly number[])[], errorRate?: number): number {
  const [interval] = maxTIntervals(family, randomFrom(3, "test"), {
    totalDraws: 200_000,
    ...(errorRate === undefined ? {} : { errorRate }),
  });
  expect((interval?.high ?? 0) + (interval?.low ?? 1)).toBeCloseTo(0, 12);
  return (interval?.high ?? Number.NaN) / standardError;
}

describe("the critical value of max-T", () => {
  // 50,000 draws know the 95 % point to 0.6 %: three of these standard errors.
  const precision = 0.02;

  // scipy: stats.t.ppf(0.975, 5) and stats.t.ppf(0.995, 5).
  it("of one comparison is Student's t", () => {
    expect(criticalOf([alternating]) / 2.570_581_8).toBeGreaterThan(1 - precision);
    expect(criticalOf([alternating]) / 2.570_581_8).toBeLessThan(1 + precision);
    expect(criticalOf([alternating], 0.01) / 4.032_143).toBeGreaterThan(1 - 2 * precision);
    expect(criticalOf([alternating], 0.01) / 4.032_143).toBeLessThan(1 + 2 * precision);
  });

  // The c with ∫ 2 φ(z) P(χ²₅ > 5 z² / c²)² dz = 0.95, z from 0: one normal value, two variances of their own; by mpmath 1.3.
  it("of two that go up and down together is larger only by their variances", () => {
    const critical = criticalOf([alternating, alternating]);
    expect(critical / 3.061_317).toBeGreaterThan(1 - precision);
    expect(critical / 3.061_317).toBeLessThan(1 + precision);
  });

  // Šidák: t(√0.95) with 10 degrees of freedom, 2.626343, because equal variances lend each other their 5. Smyth's usual variance of two that are equal
  // is 2.5 / exp(ψ(2.5)) = 1.237551 of theirs; halfway there is 1.118775, and √ of it widens the interval.
  it("of two that know nothing of each other is Šidák's, with the variance that both have", () => {
    const critical = criticalOf([alternating, crossing]);
    const expected = 2.626_343 * Math.sqrt(1.118_775);
    expect(critical / expected).toBeGreaterThan(1 - precision);
    expect(critical / expected).toBeLessThan(1 + precision);
  });
});
