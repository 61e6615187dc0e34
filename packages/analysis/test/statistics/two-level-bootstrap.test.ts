// Studentised intervals of a mean, held against all resamples that there are, or against many more than are drawn.
import { describe, expect, it } from "vitest";
import { createBootstrap, type Interval } from "../../src/statistics/two-level-bootstrap.ts";

const bootstrap = createBootstrap({ seed: 1, resamples: 19_999 });

/** 19,999 resamples of so few values know the ends to a few hundredths of the width. */
const precision = 0.03;

/** How far two intervals are apart at either end, in widths of the expected one. */
function distance(interval: Interval | null, [low, high]: readonly [number, number]): number {
  const [lower, higher] = [interval?.low ?? Number.NaN, interval?.high ?? Number.NaN];
  return Math.max(Math.abs(lower - low), Math.abs(higher - high)) / (high - low);
}

describe("the interval of a mean over rounds", () => {
  // numpy 2.4: mean − t* · sem over all 7⁷ resamples of seven rounds, t* their quantiles at 97.5 % and 2.5 %, standard deviations with ddof=1.
  it.each([
    [
      [1, 2, 3, 4, 5, 6, 7],
      [1.902_38, 6.097_62],
    ],
    [
      [3, 4, 4, 5, 6, 7, 12],
      [3.937_82, 11.472_6],
    ],
  ] as const)("of %j is that of all resamples", (rounds, expected) => {
    const mean = rounds.reduce((sum, value) => sum + value, 0) / 7;
    const blocks = rounds.map((value) => [value]);
    expect(distance(bootstrap.interval(blocks, mean), expected)).toBeLessThan(precision);
    // The scatter is that of rounds, whatever figure is shown.
    const shifted = [expected[0] + 0.1, expected[1] + 0.1] as const;
    expect(distance(bootstrap.interval([[], ...blocks, []], mean + 0.1), shifted)).toBeLessThan(precision);
  });

  // numpy 2.4: 2,000,000 resamples of rounds, then of as many blocks in each as the round has.
  it("knows that blocks of one round belong together", () => {
    const rounds = [[1, 3], [2], [3, 1, 5], [4, 4], [5, 6, 7], [6, 8, 4], [7, 9]];
    expect(distance(bootstrap.interval(rounds, 31 / 7), [2.454_37, 7.066_88])).toBeLessThan(precision);
  });

  it("holds the estimate, and reaches no further than the rounds' means", () => {
    const rounds = [1, 2, 1, 2, 1, 2].map((value) => [value]);
    expect(bootstrap.interval(rounds, 0.5)?.low).toBe(0.5);
    expect(bootstrap.interval(rounds, 2.5)?.high).toBe(2.5);
    expect(bootstrap.interval([[0], [0], [0], [0], [0], [0], [14]], 2)).toEqual({ low: 0, high: 2 });
  });

  it("needs six rounds with a block", () => {
    expect(bootstrap.interval([[1], [2], [3], [4], [5], []], 3)).toBeNull();
    expect(bootstrap.interval([[1], [2], [3], [4], [5], [6], []], 3.5)).not.toBeNull();
  });
});
