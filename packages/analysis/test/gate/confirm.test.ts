// What a FAIL needs before it blocks.
import { describe, expect, it } from "vitest";
import { confirm, confirmationLooks, confirmationRounds } from "../../src/gate/confirm.ts";
import { gateDefaults } from "../../src/gate/gate-settings.ts";
import { smallestDetectable } from "../../src/gate/judge.ts";
import { endOfJob } from "../../../../bench/self/gate/simulate.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

function roundsFor(...deviations: readonly number[]): number {
  return confirmationRounds({ cells: deviations.map((deviation) => ({ state: "worse", deviation })) }, gateDefaults);
}

describe("a confirmation", () => {
  it("confirms the cells that are slower again, and names them", () => {
    const { isConfirmed, rounds, cells } = confirm(
      madeRounds({ seed: 2, rounds: 10, effects: [0.06, 0], deviation: 0.015 }),
      gateDefaults,
    );
    expect({ isConfirmed, rounds }).toEqual({ isConfirmed: true, rounds: 10 });
    expect(cells.map((cell) => cell.isConfirmed)).toEqual([true, false]);
  });

  it("does not confirm what fresh processes do not show", () => {
    const rounds = madeRounds({ seed: 2, rounds: 20, effects: [0], deviation: 0.015 });
    expect(confirm(rounds, gateDefaults).isConfirmed).toBe(false);
  });

  it("may end early, at looks that are fixed before, and finds no more by looking often", () => {
    expect(confirmationLooks(8)).toEqual([8]);
    expect(confirmationLooks(15)).toEqual([8, 12, 15]);
    expect(confirmationLooks(24)).toEqual([8, 12, 16, 20, 24]);
    const loud = madeRounds({ seed: 2, rounds: 24, effects: [0.1], deviation: 0.015 });
    const first = { ...loud, values: loud.values.slice(0, 8) };
    expect(confirm(first, gateDefaults, 24)).toMatchObject({ isConfirmed: true, rounds: 8 });
    expect(confirm({ ...loud, values: loud.values.slice(0, 7) }, gateDefaults, 24).isConfirmed).toBe(false);
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

  it("does not confirm without rounds, or with too few", () => {
    expect(confirm({ ...roundsOf([[0.5]]), values: [] }, gateDefaults).isConfirmed).toBe(false);
    expect(confirm(roundsOf([[0.5], [0.5], [0.5], [0.5]]), gateDefaults).isConfirmed).toBe(false);
    expect(confirm(roundsOf([[0.5], [0.5], [0.5], [0.5], [0.5]]), gateDefaults).isConfirmed).toBe(true);
    const lost = Array.from({ length: 10 }, () => [Number.NaN]);
    expect(confirm(roundsOf(lost), gateDefaults).cells[0]).toMatchObject({
      isConfirmed: false,
      rounds: 0,
      ratio: Number.NaN,
    });
  });

  it("refuses rounds without cells, of other lengths, and settings that make no test", () => {
    expect(() => confirm({ cells: [], values: [] }, gateDefaults)).toThrow("there is nothing to judge: no cells");
    expect(() => confirm({ ...roundsOf([[0, 0]]), values: [[0]] }, gateDefaults)).toThrow("round 0 has 1 values");
    expect(() => confirm(roundsOf([[0.5]]), { ...gateDefaults, alpha: 0 })).toThrow("alpha is 0");
  });

  it("takes as many rounds as the noise asks for, within limits", () => {
    expect(roundsFor(0)).toBe(8);
    expect(roundsFor(0.02)).toBe(15);
    expect(roundsFor(0.02, 0.025)).toBe(21);
    expect(roundsFor(0.3)).toBe(24);
    expect(roundsFor(Number.NaN)).toBe(8);
  });
});

it("the smallest change that can be found is what nine of ten jobs find", () => {
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
