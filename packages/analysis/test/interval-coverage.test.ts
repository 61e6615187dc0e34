// Intervals cover what they promise, by simulation of many runs.
import { expect, test } from "vitest";
import { familyErrorRate, medianMissRate, medianSources, normalNoise } from "./interval-coverage.ts";

test("equal arms of uneven, correlated noise claim a difference in about one family in twenty", () => {
  const uneven = familyErrorRate(
    { stddevOf: (member) => 1 + 3 * (member % 3), correlation: 0.5, noise: normalNoise, members: 6, rounds: 6 },
    200,
    12_000,
  );
  expect(uneven).toBeLessThan(0.1);
});

test.each(medianSources)(
  "the interval of the median misses the true one in about one run of twenty: $name",
  (source) => {
    for (const [rounds, blocks] of [
      [6, 1],
      [6, 3],
      [20, 1],
    ] as const) {
      // 300 runs: 5 % ± 1.3 %. Rounds that hardly overlap are held apart on the safe side.
      const rate = medianMissRate(source, { rounds, blocks, runs: 300 });
      expect(rate).toBeLessThan(0.1);
      expect(rate).toBeGreaterThan(0);
    }
  },
);
