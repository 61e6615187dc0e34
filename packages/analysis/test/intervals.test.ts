// Intervals cover what they promise, and the small formulas behind them agree with published tables.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fiellerInterval } from "../src/statistics/student-t.ts";
import { moderatedVariance, usualScatter, maxTIntervals } from "../src/statistics/simultaneous-intervals.ts";
import { hodgesLehmann, quantile, sortedCopy } from "../src/statistics/describe-samples.ts";
import { pairedLogRatios } from "../src/statistics/paired-log-ratio.ts";
import { randomFrom } from "../src/statistics/random.ts";
import { medianInterval } from "../src/metrics/summarise.ts";
import { familyErrorRate, normalNoise } from "./interval-coverage.ts";

test("equal arms: about one family in twenty claims a difference, and no more", () => {
  const equal = familyErrorRate(
    { stddevOf: () => 1, correlation: 0, noise: normalNoise, members: 3, rounds: 6 },
    300,
    6_000,
  );
  // 300 families: 5 % ± 1.3 %, so 9 % is three standard errors away. Never wrong would mean: wider than need be.
  expect(equal).toBeLessThan(0.09);
  expect(equal).toBeGreaterThan(0.01);
});

test("the interval of the median holds the median that is shown, and stays among the rounds' own medians", () => {
  const round = fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(round, { minLength: 6, maxLength: 9 }), (values) => {
      const rounds = values.map(sortedCopy);
      const all = sortedCopy(values.flat());
      const interval = medianInterval(all, rounds);
      const shown = quantile(all, 0.5);
      const medians = rounds.map((one) => quantile(one, 0.5));
      expect(interval?.low).toBeLessThanOrEqual(shown);
      expect(interval?.high).toBeGreaterThanOrEqual(shown);
      expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...medians, shown));
      expect(interval?.high).toBeLessThanOrEqual(Math.max(...medians, shown));
    }),
  );
});

function widthOfFirst(family: readonly (readonly number[])[]): number {
  const interval = maxTIntervals(family, randomFrom(1, "test"))[0];
  return (interval?.high ?? 0) - (interval?.low ?? 0);
}

test("rounds that hardly scatter by luck do not get a short interval in a family that does", () => {
  const ordinary = Array.from({ length: 10 }, (_, row) =>
    [0, 1, 2, 3, 4, 5].map((round) => Math.sin(9 * row + 2 * round)),
  );
  const lucky = [0.5, 0.501, 0.499, 0.5, 0.5, 0.502];
  expect(widthOfFirst([lucky])).toBeLessThan(0.01);
  expect(widthOfFirst([lucky, ...ordinary])).toBeGreaterThan(0.1);
});

test("a variance is raised to what is usual, never lowered", () => {
  const scatters = fc.array(fc.double({ min: 1e-9, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(scatters, (variances) => {
      const family = variances.map((variance) => ({ variance, degrees: 5 }));
      const usual = usualScatter(family, family.length);
      expect(usual.degrees).toBeLessThanOrEqual(5 * (family.length - 1));
      for (const member of family) {
        const moderated = moderatedVariance(member, usual);
        expect(moderated).toBeGreaterThanOrEqual(member.variance);
        expect(Number.isFinite(moderated)).toBe(true);
      }
    }),
  );
});

test("blocks are paired by their turn: one that is missing shifts no other, and is counted on its side", () => {
  const numerator = [
    new Map([
      [0, 2],
      [2, 8],
    ]),
    new Map([[0, 3]]),
    new Map([[1, 300]]),
  ];
  const denominator = [
    new Map([
      [0, 1],
      [1, 100],
      [2, 4],
    ]),
    new Map<number, number>(),
    new Map([[1, 100]]),
  ];
  const { logRatios, leftOut } = pairedLogRatios(numerator, denominator);
  expect(logRatios[0]).toBeCloseTo(Math.log(2), 12);
  expect(logRatios[1]).toBeNaN();
  expect(logRatios[2]).toBeCloseTo(Math.log(3), 12);
  expect(leftOut).toBe(2);
});

test("an arm with more blocks than the other uses all of them, and none counts as missing", () => {
  const often = [0, 1].map(() => new Map([0, 1, 2].map((turn) => [turn, 6 + turn])));
  const { logRatios, leftOut } = pairedLogRatios(often, [new Map([[0, 2]]), new Map([[0, 3]])]);
  expect(logRatios).toEqual([Math.log(7) - Math.log(2), Math.log(7) - Math.log(3)]);
  expect(leftOut).toBe(0);
});

test("a ratio of a round is that of its means: one slow block counts as in the arm's mean", () => {
  const [slowOnce, steady] = [
    [1, 1, 1, 5],
    [1, 1, 1, 1],
  ].map((values) => [new Map(values.entries())]);
  const { logRatios } = pairedLogRatios(slowOnce ?? [], steady ?? []);
  expect(logRatios).toEqual([Math.log(2)]);
});

test("a block whose mean is 0 has no ratio: its pair is left out and counted, the round's others stay", () => {
  const { logRatios, leftOut } = pairedLogRatios(
    [
      new Map([
        [0, 0],
        [1, 6],
      ]),
    ],
    [
      new Map([
        [0, 1],
        [1, 2],
      ]),
    ],
  );
  expect(logRatios[0]).toBeCloseTo(Math.log(3), 12);
  expect(leftOut).toBe(1);
});

test("the Hodges–Lehmann estimate is that of the published example", () => {
  // Hollander and Wolfe, "Nonparametric Statistical Methods" (1973), example 3.1: depression scale factor IV before and after.
  const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
  const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  expect(hodgesLehmann(before.map((value, index) => value - (after[index] ?? 0)))).toBeCloseTo(0.46, 10);
});

test("Fieller's interval holds the ratio of means, and has no end when the denominator may be 0", () => {
  const below = [2, 2.1, 1.9, 2, 2.05, 1.95];
  const interval = fiellerInterval([4, 4.3, 3.7, 4, 4.2, 3.8], below);
  expect(interval?.low).toBeLessThan(2);
  expect(interval?.high).toBeGreaterThan(2);
  // Proportional pairs have one ratio.
  const exact = fiellerInterval(
    below.map((value) => 3 * value),
    below,
  );
  expect(exact?.low).toBeCloseTo(3, 6);
  expect(exact?.high).toBeCloseTo(3, 6);
  expect(fiellerInterval(below, [1, -1, 1, -1, 1, -1])).toBeNull();
  expect(fiellerInterval([1, 2], [1, 2])).toBeNull();
});
