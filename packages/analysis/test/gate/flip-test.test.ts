// The sign-flip test of the gate against small examples that can be counted by hand, and against all flips there are.
import { describe, expect, it } from "vitest";
import {
  createBoundary,
  createJobTest,
  failSpent,
  failSpending,
  passSpending,
  spentLevel,
} from "../../src/gate/sign-flip-tests.ts";
import { createFlipSums, reachOf, repeatTo } from "../../src/gate/flip-sums.ts";
import { signGroup } from "../../src/gate/sign-group.ts";
import { madeRounds } from "./made-rounds.ts";

it("spending gives a FAIL α·t² and a PASS its level·t, and all of it at the end", () => {
  const looks = [8, 10, 12, 15, 20, 25, 30];
  const fail = looks.map((look) => spentLevel(0.01, look, 30, failSpending));
  const expected = [0.000711, 0.001111, 0.0016, 0.0025, 0.004444, 0.006944, 0.01];
  fail.forEach((spent, index) => expect(spent).toBeCloseTo(expected[index] ?? Number.NaN, 6));
  expect(spentLevel(0.05, 12, 30, passSpending)).toBeCloseTo(0.02, 12);
  expect(spentLevel(0.05, 40, 30, passSpending)).toBe(0.05);
});

describe("the group of sign flips", () => {
  const group = signGroup(10_000, 30, 1);
  const signs = Array.from({ length: 30 }, (_, round) => group.signsOf(round));

  /** The product of some rounds' signs, summed over all paths: 0 where the signs are independent. */
  function moment(...rounds: readonly number[]): number {
    let sum = 0;
    for (let path = 0; path < 8_192; path += 1) {
      sum += rounds.reduce((product, round) => product * (signs[round]?.[path % (signs[round]?.length ?? 1)] ?? 0), 1);
    }
    return sum;
  }

  it("has the largest power of two within what was asked, and all patterns while these are fewer", () => {
    expect([1, 8, 12, 13, 14, 30].map((rounds) => group.pathsAfter(rounds))).toEqual([2, 256, 4096, 8192, 8192, 8192]);
    const patterns = new Set(
      Array.from({ length: 256 }, (_, path) =>
        signs
          .slice(0, 8)
          .map((of) => of[path % of.length])
          .join(),
      ),
    );
    expect(patterns.size).toBe(256);
  });

  it("leaves everything as it is on its first path, and has with each path its opposite", () => {
    expect(signs.map(([first]) => first)).toEqual(signs.map(() => 1));
    const opposite = signs.slice(13).map((of) => of[8_191]);
    expect(opposite).toEqual(opposite.map(() => -1));
  });

  it("flips any two, three, four and five rounds independently of each other", () => {
    // The bits of a path that decide a round's sign.
    const patterns = signs.map((of) =>
      Array.from({ length: 13 }, (_, bit) => (of[2 ** bit % of.length] === -1 ? 2 ** bit : 0)).reduce(
        (sum, bit) => sum + bit,
      ),
    );
    // Four signs depend on each other where two pairs flip alike; an odd number of signs does where an odd pattern does not flip all.
    const pairs = patterns.flatMap((one, index) => patterns.slice(index + 1).map((other) => one ^ other));
    expect(new Set(pairs).size).toBe((30 * 29) / 2);
    expect(moment(4, 20)).toBe(0);
    for (const rounds of [
      [0, 3, 17, 29],
      [13, 14, 15, 16],
      [1, 20, 25, 28],
      [2, 9, 14, 21, 27],
      [16, 18, 20, 22, 24],
    ]) {
      expect(moment(...rounds)).toBe(0);
    }
  });

  it("flips no two rounds alike as long as there is another pattern", () => {
    // Of eight bits 128 patterns are odd.
    const small = signGroup(256, 200, 1);
    const words = Array.from({ length: 200 }, (_, round) => small.signsOf(round).slice(-256).join());
    expect(new Set(words.slice(8, 128)).size).toBe(120);
    for (let round = 8; round < 200; round += 1) {
      const of = small.signsOf(round);
      expect(of.reduce((sum, sign) => sum + sign, 0)).toBe(0);
      expect(of[255]).toBe(-1);
    }
  });
});

describe("a boundary", () => {
  it("is crossed by no more paths than the level allows, all looks together", () => {
    const boundary = createBoundary(8);
    // Two of eight may cross by the first look; one more by the second, wherever the first two are.
    expect(boundary.next(Float64Array.of(7, 6, 5, 4, 3, 2, 1, 0), 8, 2 / 8)).toBeCloseTo(5, 6);
    expect(boundary.next(Float64Array.of(9, 9, 1, 2, 3, 4, 5, 6), 8, 3 / 8)).toBeCloseTo(5, 6);
  });

  it("lets equal statistics cross together or not at all", () => {
    expect(createBoundary(4).next(Float64Array.of(3, 3, 3, 1), 4, 2 / 4)).toBeCloseTo(3, 6);
    expect(createBoundary(4).next(Float64Array.of(3, 3, 3, 1), 4, 3 / 4)).toBeCloseTo(1, 6);
  });

  it("counts a path for all that come of it when rounds double the paths", () => {
    const boundary = createBoundary(8);
    boundary.next(Float64Array.of(4, 3, 2, 1), 4, 1 / 4);
    // Paths 0 and 4 have crossed: of eight, one more may.
    expect(boundary.next(Float64Array.of(9, 8, 7, 6, 9, 5, 4, 3), 8, 3 / 8)).toBeCloseTo(7, 6);
  });

  it("goes on counting paths that have crossed once they have fallen back", () => {
    const boundary = createBoundary(8);
    expect(boundary.next(Float64Array.of(4, 3, 2, 1), 4, 2 / 4)).toBeCloseTo(2, 6);
    // Paths 0, 1, 4 and 5 have crossed: of eight, one more may, and 7 is the second of the others.
    expect(boundary.next(Float64Array.of(1, 1, 8, 7, 1, 1, 6, 5), 8, 5 / 8)).toBeCloseTo(7, 6);
  });
});

describe("the statistic", () => {
  it("is Σ s·x / √ Σ x² on each path, as counted by hand", () => {
    const sums = createFlipSums(signGroup(256, 3, 1), 1, 3);
    for (const value of [3, -1, 2]) sums.add([value]);
    const statistics = new Float64Array(8);
    sums.write(statistics, 0, 0, 1);
    // Signs + + +, − + +, + − +, − − +, + + −, − + −, + − −, − − −.
    const expected = [4, -2, 6, 0, 0, -6, 2, -4].map((sum) => sum / Math.sqrt(14));
    expected.forEach((statistic, path) => expect(statistics[path]).toBeCloseTo(statistic, 12));
  });

  it("reaches as far from the mean as its critical value says", () => {
    const values = [0.5, 1, 3, 4.5, 2];
    const low = 2.2 - reachOf(values, 1.5);
    const statistic =
      values.reduce((sum, value) => sum + value - low, 0) / Math.hypot(...values.map((value) => value - low));
    expect(statistic).toBeCloseTo(1.5, 12);
    expect(reachOf(values, Math.sqrt(5))).toBe(Infinity);
    expect(reachOf([2, 2, 2, 2], 2)).toBe(Infinity);
    expect(reachOf([], 1)).toBe(Infinity);
  });
});

/** The part of all 2^n flips whose largest statistic is at least the largest one seen. */
function exhaustiveP(values: readonly (readonly number[])[]): number {
  const cells = values[0]?.length ?? 0;
  const lengths = Array.from({ length: cells }, (_, cell) => Math.hypot(...values.map((round) => round[cell] ?? 0)));
  const largest = (path: number): number =>
    Math.max(
      ...lengths.map((length, cell) => {
        const sum = values.reduce(
          (total, round, index) => total + ((path >> index) & 1 ? -1 : 1) * (round[cell] ?? 0),
          0,
        );
        return sum / length;
      }),
    );
  const seen = largest(0);
  const paths = 2 ** values.length;
  let count = 0;
  for (let path = 0; path < paths; path += 1) count += largest(path) >= seen - 1e-9 ? 1 : 0;
  return count / paths;
}

function groupP(values: readonly (readonly number[])[], flips: number): number {
  const cells = values[0]?.length ?? 0;
  const group = signGroup(flips, values.length, 3);
  const sums = createFlipSums(group, cells, values.length);
  for (const round of values) sums.add(round);
  const job = { cells, mostPaths: group.pathsAfter(values.length), centre: 0, level: 0.05 };
  const { largest, seen } = createJobTest(sums, job).look(1);
  const most = Math.max(...seen);
  return largest.reduce((count, other) => count + (other >= most - 1e-9 ? 1 : 0), 0) / largest.length;
}

describe("the group and all flips there are", () => {
  it("agree exactly as long as the group holds all of them", () => {
    for (const rounds of [3, 8, 12]) {
      const { values } = madeRounds({ seed: rounds, rounds, effects: [0.01, 0, 0.005], deviation: 0.02 });
      expect(groupP(values, 10_000)).toBeCloseTo(exhaustiveP(values), 12);
    }
  });

  it("agree within what a sample of flips may differ by when it does not", () => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const { values } = madeRounds({ seed, rounds: 14, effects: [0.008, 0], deviation: 0.02 });
      const exact = exhaustiveP(values);
      // Four standard errors of 1,024 independent flips.
      expect(Math.abs(groupP(values, 1_024) - exact)).toBeLessThan(
        4 * Math.sqrt((exact * (1 - exact)) / 1_024) + 0.001,
      );
    }
  });
});

describe("what the looks of a FAIL may spend", () => {
  const looks = [8, 10, 20, 30];

  it("is the part of the planned rounds, squared, as long as all cells are measured", () => {
    const spent = failSpent(looks, 30, 12, () => true);
    for (const [index, look] of looks.entries())
      expect(spent[index]).toBeCloseTo(spentLevel(1, look, 30, failSpending));
    expect(spent.at(-1)).toBeCloseTo(1);
  });

  it("grows by a third as much once two of three stacks are left out, and by nothing without any", () => {
    const spent = failSpent(looks, 30, 12, (cell, from) => from < 8 || cell < 4);
    expect(spent[0]).toBeCloseTo((8 / 30) ** 2);
    expect((spent[1] ?? 0) - (spent[0] ?? 0)).toBeCloseTo(((10 / 30) ** 2 - (8 / 30) ** 2) / 3);
    const none = failSpent(looks, 30, 12, (_, from) => from < 8);
    expect(none).toEqual([none[0], none[0], none[0], none[0]]);
  });
});

it.each([
  [1, 8, [1, 1, 1, 1, 1, 1, 1, 1]],
  [2, 8, [1, 2, 1, 2, 1, 2, 1, 2]],
  [4, 8, [1, 2, 3, 4, 1, 2, 3, 4]],
  [2, 4, [1, 2, 1, 2, 5, 6, 7, 8]],
  [4, 4, [1, 2, 3, 4, 5, 6, 7, 8]],
])("the first %d of eight are repeated up to %d", (from, to, expected) => {
  const array = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  repeatTo(array, from, to);
  expect([...array]).toEqual(expected);
});
