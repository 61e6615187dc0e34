// What a gate says of jobs whose truth is known.
import { describe, expect, it } from "vitest";
import { gateDefaults, type GateSettings } from "../../src/gate/gate-settings.ts";
import { judge } from "../../src/gate/judge.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

const quiet = { seed: 1, rounds: 30, deviation: 0.015 };

function constant(rounds: number, ...cells: readonly number[]): ReturnType<typeof roundsOf> {
  return roundsOf(Array.from({ length: rounds }, () => cells));
}

const asked = (settings: Partial<GateSettings>) => () => judge(constant(8, 0), { ...gateDefaults, ...settings });

describe("a job of the gate", () => {
  it("passes a version that changes nothing", () => {
    const { state, cells } = judge(madeRounds({ ...quiet, rounds: 10, effects: [0, 0, 0] }), gateDefaults);
    expect(state).toBe("pass");
    expect(cells.map(({ state: of }) => of)).toEqual(["not-worse", "not-worse", "not-worse"]);
    for (const { atMost } of cells) expect(atMost).toBeLessThan(1.05);
  });

  it("fails a version that is 5 % slower in one cell, and names that cell alone", () => {
    const { state, cells } = judge(madeRounds({ ...quiet, rounds: 15, effects: [0, 0.05, 0] }), gateDefaults);
    expect(state).toBe("fail");
    expect(cells.map(({ state: of }) => of)).toEqual(["not-worse", "worse", "not-worse"]);
    expect(cells[1]?.low).toBeGreaterThan(1.02);
  });

  it("never passes what is too noisy to judge, and says which change it would have found", () => {
    const noisy = madeRounds({ seed: 5, rounds: 30, effects: [0, 0], deviation: 0.3 });
    const { state, cells } = judge(noisy, gateDefaults);
    expect(state).toBe("inconclusive");
    for (const { smallestDetectable } of cells) expect(smallestDetectable).toBeGreaterThan(0.1);
  });

  it("calls a speed-up better and passes it", () => {
    const { state, cells } = judge(madeRounds({ ...quiet, effects: [-0.1, 0] }), gateDefaults);
    expect(state).toBe("pass");
    expect(cells.map(({ better }) => better)).toEqual([true, false]);
  });

  it("cannot fail after eight rounds: one of 256 sign flips is more than alpha allows at that look", () => {
    const first = judge(constant(8, 0.5), gateDefaults);
    expect(first).toMatchObject({ state: "undecided", look: 1, canFail: false, canPass: true });
    expect(judge(constant(10, 0.5), gateDefaults)).toMatchObject({ state: "fail", look: 2, canFail: true });
  });

  it("waits for the next look with rounds that come after the last", () => {
    const { values } = madeRounds({ ...quiet, rounds: 14, effects: [0.03, 0] });
    expect(judge(roundsOf(values), gateDefaults)).toEqual(judge(roundsOf(values.slice(0, 12)), gateDefaults));
  });

  it("does not take back at a later look what it said at an earlier one", () => {
    const { values } = madeRounds({ ...quiet, rounds: 12, effects: [0.06, 0] });
    const turned = [...values, ...Array.from({ length: 18 }, (_, round) => [-0.1, 0.2 + round / 1000])];
    expect(judge(roundsOf(values), gateDefaults).cells[0]?.state).toBe("worse");
    expect(judge(roundsOf(turned), gateDefaults).cells[0]?.state).toBe("worse");
  });
});

describe("cells that are unlike others", () => {
  it("fails a constant change beyond what is tolerated, and not one that is exactly that", () => {
    expect(judge(constant(10, Math.log(1.03)), gateDefaults).state).toBe("fail");
    expect(judge(constant(30, Math.log(1.02)), gateDefaults).state).toBe("pass");
    expect(judge(constant(30, Math.log(1.05)), gateDefaults).state).toBe("fail");
  });

  it("counts what a cell lacks against a verdict, never for it", () => {
    const { values } = madeRounds({ ...quiet, effects: [0, 0, 0] });
    const holes = values.map(([one, two], round) => [one ?? 0, round % 10 === 0 ? (two ?? 0) : Number.NaN, Number.NaN]);
    const { state, cells } = judge(roundsOf(holes), gateDefaults);
    expect(state).toBe("inconclusive");
    expect(cells.map(({ state: of, rounds }) => [of, rounds])).toEqual([
      ["not-worse", 30],
      ["undecided", 3],
      ["undecided", 0],
    ]);
    expect(cells[2]).toMatchObject({ ratio: Number.NaN, low: 0, high: Infinity, atMost: Infinity });
  });

  it("finds a slower cell that lost some of its rounds", () => {
    const { values } = madeRounds({ ...quiet, effects: [0, 0.06] });
    const holes = values.map(([one, two], round) => [one ?? 0, round % 4 === 1 ? Number.NaN : (two ?? 0)]);
    const { cells } = judge(roundsOf(holes), gateDefaults);
    expect(cells.map(({ state, rounds }) => [state, rounds])).toEqual([
      ["not-worse", 30],
      ["worse", 22],
    ]);
  });

  it("judges one cell and two hundred", () => {
    const effects = Array.from({ length: 200 }, (_, cell) => (cell === 120 ? 0.06 : 0));
    const { cells } = judge(madeRounds({ ...quiet, effects }), gateDefaults);
    expect(cells.filter(({ state }) => state === "worse").map(({ cell }) => cell.stack)).toEqual(["stack-120"]);
    expect(judge(madeRounds({ ...quiet, effects: [0] }), gateDefaults).state).toBe("pass");
  });
});

// 256 sign flips of eight rounds: half of the looks spends half of passAlpha and a quarter of alpha.
const halfway = { ...gateDefaults, looks: [8, 16], alpha: 4 / 256, passAlpha: 2 / 256 };

it("few rounds give a verdict when the level that is spent is just that of one sign flip", () => {
  expect(judge(constant(8, 0), halfway)).toMatchObject({ spentAlpha: 1 / 256, canFail: true, canPass: true });
  expect(judge(constant(8, 0), { ...halfway, alpha: 3.9 / 256, passAlpha: 1.9 / 256 })).toMatchObject({
    canFail: false,
    canPass: false,
  });
});

describe("settings", () => {
  it.each<Partial<GateSettings>>([
    { tolerate: 0 },
    { tolerate: 0, detect: 10 },
    { alpha: 0.5 },
    { passAlpha: 0.5 },
    { looks: [200] },
    { looks: [1, 7] },
    { looks: [1], alpha: 0.5 },
    { flips: 256 },
    { flips: 2 ** 17 },
    { flips: 256, alpha: 1 / 256 },
    { seed: 0 },
  ])("on the edge are accepted: %o", (settings) => {
    expect(asked(settings)).not.toThrow();
  });

  it.each<Partial<GateSettings>>([
    { tolerate: -0.001 },
    { tolerate: 0.05, detect: 0.05 },
    { detect: 10.001 },
    { alpha: 0 },
    { alpha: 0.501 },
    { passAlpha: 0 },
    { passAlpha: 0.501 },
    { looks: [] },
    { looks: [0, 8] },
    { looks: [8, 8] },
    { looks: [8.5] },
    { looks: [201] },
    { flips: 255 },
    { flips: 2 ** 17 + 1 },
    { flips: 256, alpha: 0.0039 },
    { seed: Number.NaN },
  ])("beyond it are refused: %o", (settings) => {
    // The setting that was changed last is the one that is at fault.
    const message = expect.stringContaining(Object.keys(settings).at(-1) ?? "");
    expect(asked(settings)).toThrow(expect.objectContaining({ code: "bad-option", message }));
  });
});

it("what cannot be judged is reported in one line", () => {
  expect(() => judge({ cells: [], values: [] }, gateDefaults)).toThrow("there is nothing to judge: no cells");
  expect(() => judge({ ...roundsOf([[0, 0]]), values: [[0]] }, gateDefaults)).toThrow(
    "round 0 has 1 values for 2 cells",
  );
  expect(asked({ tolerate: 0.05 })).toThrow("tolerate (0.05) must be at least 0 and below detect (0.05)");
  expect(asked({ looks: [10, 8] })).toThrow("looks must be ascending whole numbers from 1 to 200, not 10, 8");
  expect(asked({ alpha: 0 })).toThrow("alpha is 0");
  expect(asked({ flips: 10 })).toThrow("flips is 10");
  expect(asked({ alpha: 0.000_122 })).toThrow("alpha is 0.000122, and no such job could fail: at least 0.000123 can");
  expect(asked({ alpha: 0.000_123 })).not.toThrow();
  expect(asked({ looks: [4] })).toThrow("at least 0.0625 can");
});
