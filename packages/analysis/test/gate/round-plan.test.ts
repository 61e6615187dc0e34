// Rounds are planned from the time that they take, and a job that time ends early keeps its error rates.
import {
  gateDefaults,
  isOutOfTime,
  judge,
  looksOfEnded,
  looksUpTo,
  roundsThatFit,
  type GateState,
} from "@roundtrip/analysis/gate";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { madeRounds } from "./made-rounds.ts";

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

/** What a job says that looks as planned, and is over after `rounds` whatever was planned. */
function ended(seed: number, effects: readonly number[], planned: number, rounds: number): GateState {
  const made = madeRounds({ seed, rounds, effects, deviation: 0.03 });
  const looks = looksUpTo(planned);
  const settings = { ...gateDefaults, flips: 256, seed };
  for (const look of looks.filter((each) => each < rounds)) {
    const seen = { ...made, values: made.values.slice(0, look) };
    const { state } = judge(seen, { ...settings, looks });
    if (state !== "undecided") return state;
  }
  return judge(made, { ...settings, looks: looksOfEnded(looks, rounds) }).state;
}

describe("a job that time ends before its last planned round", () => {
  const jobs = 300;
  const share = (state: GateState, effect: number): number => {
    const states = Array.from({ length: jobs }, (_, seed) => {
      const planned = 20 + ((7 * seed) % 41);
      return ended(seed, [effect, effect], planned, 8 + ((13 * seed) % (planned - 7)));
    });
    return states.filter((each) => each === state).length / jobs;
  };

  it("fails in at most 1 % of jobs in which everything is slower by just what is tolerated", () => {
    // 1 % of 300 jobs is 3; 9 or more have a probability of less than 1 %.
    expect(share("fail", gateDefaults.tolerate)).toBeLessThan(9 / jobs);
  });

  it("passes in at most 5 % of jobs in which everything is slower by just what is to be detected", () => {
    // 5 % of 300 jobs is 15; 26 or more have a probability of less than 1 %.
    expect(share("pass", gateDefaults.detect)).toBeLessThan(26 / jobs);
  });

  it("decides most jobs of equal versions at the noise of an ordinary machine", () => {
    expect(share("pass", 0)).toBeGreaterThan(0.8);
    expect(share("fail", 0)).toBe(0);
  });
});
