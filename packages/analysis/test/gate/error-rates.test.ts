// The gate keeps its error rates in jobs that end early, confirms no more by looking often, and finds what it says it can find: by simulation.
import { gateDefaults, judge, looksOfEnded, looksUpTo, type GateState } from "@roundtrip/analysis/gate";
import { describe, expect, it } from "vitest";
import { endOfJob } from "../../../../bench/self/gate/simulate.ts";
import { confirm } from "../../src/gate/confirm.ts";
import { smallestDetectable } from "../../src/gate/judge.ts";
import { madeRounds } from "./made-rounds.ts";

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

it("a confirmation finds no more by looking often", () => {
  const jobs = 1_000;
  const found = Array.from({ length: jobs }, (_, seed) =>
    confirm(
      madeRounds({ seed, rounds: 24, effects: [0.02, 0.02], deviation: 0.02 }),
      { ...gateDefaults, flips: 512 },
      24,
    ),
  ).filter(({ isConfirmed }) => isConfirmed).length;
  // 5 % of what is just tolerated; three standard errors are 21.
  expect(found).toBeGreaterThan(20);
  expect(found).toBeLessThan(71);
});

describe("the smallest change that can be found", () => {
  it("is what nine of ten jobs find", () => {
    const deviation = 0.03;
    const effects = [smallestDetectable(deviation, 4, 30, gateDefaults), 0, 0, 0];
    // t(0.9975) and t(0.9) with 29 degrees of freedom are 3.038 and 1.311: 1.02 · exp(4.349 · 0.03 · √(1.1 / 30)) − 1.
    expect(effects[0]).toBeCloseTo(0.0458, 4);
    // A change that must not pass early, so that power alone is counted.
    const settings = { ...gateDefaults, flips: 2_048, detect: 0.5, passAlpha: 1e-6 };
    const found = Array.from(
      { length: 200 },
      (_, seed) => endOfJob(madeRounds({ seed, rounds: 30, effects, deviation }), settings).state,
    ).filter((state) => state === "fail").length;
    // 180 of 200 are expected; three standard errors are 13.
    expect(found).toBeGreaterThan(167);
    expect(found).toBeLessThan(194);
  });
});
