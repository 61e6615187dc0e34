// Change points: how often they are found where none is, and how exactly where one is.
import { assert, array, double, integer, property } from "fast-check";
import { randomNormal } from "d3-random";
import { describe, expect, it } from "vitest";
import { changePointDefaults, changePoints } from "../../src/history/change-points.ts";
import { foundIn } from "./change-point-rates.ts";
import { SplitSearch } from "../../src/history/best-split.ts";
import { randomFrom } from "../../src/statistics/random.ts";

function normals(count: number, seed: number): readonly number[] {
  const draw = randomNormal.source(randomFrom(seed, "noise"))(0, 1);
  return Array.from({ length: count }, () => draw());
}

function found(values: readonly number[], options = changePointDefaults): readonly number[] {
  return changePoints(values, options, randomFrom(7, "test")).map(({ index }) => index);
}

const distances = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((sum, one) => sum + others.reduce((all, other) => all + Math.abs(one - other), 0), 0);

/** As it is written in the paper, pair by pair. */
function statisticAt(values: readonly number[], at: number): number {
  const [before, after] = [values.slice(0, at), values.slice(at)];
  const [m, n] = [before.length, after.length];
  const within = (some: readonly number[]): number => distances(some, some) / (some.length * (some.length - 1));
  return ((m * n) / (m + n)) * ((2 * distances(before, after)) / (m * n) - within(before) - within(after));
}

describe("the best split", () => {
  it("is the largest of the statistic as the paper writes it", () => {
    const values = array(double({ min: -100, max: 100, noNaN: true }), { minLength: 4, maxLength: 25 });
    assert(
      property(values, (series) => {
        const split = new SplitSearch(series, 2).best();
        const all = series.slice(2, -1).map((_, index) => statisticAt(series, index + 2));
        expect(split?.statistic).toBeCloseTo(Math.max(...all), 6);
        expect(all[(split?.index ?? 0) - 2]).toBeCloseTo(Math.max(...all), 6);
      }),
      { seed: 1 },
    );
  });

  it("is absent where there are too few values for both sides", () => {
    expect(new SplitSearch([1, 2, 9, 9, 9], 3).best()).toBeNull();
    expect(new SplitSearch([], 2).best()).toBeNull();
  });
});

describe("change points", () => {
  it("are found in no more series without a change than stated", () => {
    const options = { ...changePointDefaults, significance: 0.05, permutations: 199 };
    const alarms = foundIn({ before: 30, after: 0, step: 0 }, 600, options);
    // 5 % of 600 is 30; above 44 a binomial of 5 % comes with probability below 1 %.
    expect(alarms).toBeGreaterThan(10);
    expect(alarms).toBeLessThanOrEqual(44);
  });

  it("are where a series steps by five standard deviations, within one value", () => {
    assert(
      property(integer({ min: 0, max: 1e6 }), integer({ min: 6, max: 34 }), (seed, at) => {
        const series = normals(40, seed).map((value, index) => (index < at ? value : value + 5));
        const nearest = found(series).map((index) => Math.abs(index - at));
        expect(Math.min(...nearest)).toBeLessThanOrEqual(1);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it("are several where there are several steps, up or down", () => {
    const levels = [10, 17, 17, 4];
    const series = normals(80, 3).map((value, index) => value + (levels[Math.floor(index / 20)] ?? 0));
    expect(found(series)).toEqual([20, 60]);
  });

  it("show soon: a step of five deviations after 20 values is seen when three have followed it", () => {
    expect(foundIn({ before: 20, after: 3, step: 5 }, 100)).toBeGreaterThanOrEqual(98);
    expect(foundIn({ before: 20, after: 2, step: 5 }, 100)).toBeLessThan(98);
  });

  it("are absent in series that are constant, or too short", () => {
    for (const length of [0, 1, 2, 5, 60]) expect(found(Array.from({ length }, () => 0.1))).toEqual([]);
    expect(found([1, 1, 9, 9])).toEqual([]);
  });

  it("are found in exact counts, with a p value that says how few orders are as clear", () => {
    const series = Array.from({ length: 30 }, (_, index) => (index < 15 ? 272 : 280));
    const [change] = changePoints(series, changePointDefaults, randomFrom(1, "test"));
    expect(change).toEqual({ index: 15, p: 1 / 1000 });
  });

  it("are not caused by one outlier", () => {
    const series = normals(40, 5).map((value, index) => (index === 20 ? 60 : value));
    expect(found(series)).toEqual([]);
  });

  it("do not depend on the scale or the origin", () => {
    const series = normals(40, 9).map((value, index) => (index < 25 ? value : value + 4));
    const moved = series.map((value) => 1e6 + value * 1e-3);
    expect(found(series)).toEqual([25]);
    expect(found(moved)).toEqual([25]);
  });

  it("are not looked for among values that are no numbers", () => {
    expect(() => found([1, 2, Number.NaN])).toThrow("value 2 is NaN, not a finite number");
  });
});
