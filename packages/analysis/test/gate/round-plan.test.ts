// Rounds are planned from the time that they take.
import { gateDefaults, isOutOfTime, looksOfEnded, looksUpTo, roundsThatFit } from "@roundtrip/analysis/gate";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const times = (count: number, ms: number): readonly number[] => Array.from({ length: count }, () => ms);

describe("planned rounds", () => {
  it.each([
    ["one stack", { roundsMs: times(7, 2_000), budgetMs: 150_000, stacks: 1 }, 75],
    [
      "three stacks, of which some pass before the end",
      { roundsMs: times(7, 2_000), budgetMs: 150_000, stacks: 3 },
      109,
    ],
    ["a slow first round", { roundsMs: [9_000, ...times(6, 2_000)], budgetMs: 150_000, stacks: 1 }, 71],
    ["a budget that is spent", { roundsMs: times(7, 30_000), budgetMs: 150_000, stacks: 1 }, 8],
    [
      "rounds of which some were slowed down",
      { roundsMs: [4_000, 4_000, 4_000, 2_000], budgetMs: 54_000, stacks: 1 },
      24,
    ],
    ["a long budget", { roundsMs: times(7, 500), budgetMs: 3_600_000, stacks: 1 }, 200],
  ])("are as many as the budget holds: %s", (_name, given, planned) => {
    expect(roundsThatFit(given)).toBe(planned);
  });

  it.each([
    [times(10, 2_000), 22_000, false],
    [times(10, 2_000), 21_999, true],
    [[...times(9, 1_000), 4_000], 17_000, false],
    [[...times(9, 1_000), 4_000], 16_000, true],
  ])("end when another would end after the budget: %#", (roundsMs, budgetMs, isLate) => {
    expect(isOutOfTime({ roundsMs, budgetMs })).toBe(isLate);
  });

  it("have ascending looks that end with them, however many", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 200 }), fc.integer({ min: 1, max: 200 }), (planned, done) => {
        const looks = looksUpTo(planned);
        expect(looks.at(-1)).toBe(planned);
        expect(looks.every((look, index) => look > (looks[index - 1] ?? 7))).toBe(true);
        const last = looksOfEnded(looks, done).at(-1);
        expect(last).toBe(done < 8 ? planned : Math.min(done, planned));
      }),
    );
    expect(looksUpTo(30)).toEqual(gateDefaults.looks);
  });
});
