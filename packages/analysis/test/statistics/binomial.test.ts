// How many intervals beyond a limit are no chance.
import { expect, it } from "vitest";
import { binomialTail, fewestBeyondChance } from "../../src/statistics/binomial.ts";

it("knows the tail of a binomial distribution", () => {
  // Ten tosses of a coin, at least eight heads: 56 of 1,024.
  expect(binomialTail(8, 10, 0.5)).toBeCloseTo(56 / 1_024, 12);
  expect(binomialTail(0, 10, 0.5)).toBe(1);
});

// Tables of the binomial distribution with a probability of 0.025: the first number whose tail is at most that.
it.each([
  [1, 1],
  [2, 2],
  [10, 2],
  [53, 5],
  [106, 7],
])("of %i intervals, %i beyond a limit are no chance", (intervals, fewest) => {
  expect(fewestBeyondChance(intervals)).toBe(fewest);
});
