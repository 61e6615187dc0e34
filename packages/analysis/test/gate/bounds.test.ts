// The bounds that a judgement gives: what they are in cases that are known, and what they keep from look to look.
import { describe, expect, it } from "vitest";
import { gateDefaults } from "../../src/gate/gate-settings.ts";
import { judge } from "../../src/gate/judge.ts";
import { createFlipSums } from "../../src/gate/flip-sums.ts";
import { createRepeatedIntervals } from "../../src/gate/sign-flip-tests.ts";
import { signGroup } from "../../src/gate/sign-group.ts";
import { tInterval } from "../../src/statistics/student-t.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

const once = { ...gateDefaults, looks: [30] };

describe("the interval of a cell", () => {
  it("of one cell and one look is nearly that of a t test", () => {
    for (const seed of [1, 2, 3, 4]) {
      const { values } = madeRounds({ seed, rounds: 30, effects: [0.03], deviation: 0.02 });
      const [cell] = judge(roundsOf(values), once).cells;
      const t = tInterval(values.map(([value]) => value ?? 0));
      const width = Math.log(cell?.high ?? 0) - Math.log(cell?.low ?? 0);
      expect(width / ((t?.high ?? 0) - (t?.low ?? 0))).toBeCloseTo(1, 1);
      expect(Math.sqrt((cell?.low ?? 0) * (cell?.high ?? 0))).toBeCloseTo(cell?.ratio ?? 0, 9);
    }
  });

  it("of seven rounds is that of all 128 sign flips: at most 6 of them, 5 %, are beyond it", () => {
    const values = [0.031, -0.012, 0.044, 0.027, -0.003, 0.058, 0.019];
    const centre = values.reduce((sum, value) => sum + value, 0) / 7;
    const from = values.map((value) => value - centre);
    const length = Math.hypot(...from);
    const statistics = Array.from({ length: 128 }, (_, path) =>
      Math.abs(from.reduce((sum, value, round) => sum + ((path >> round) % 2 === 0 ? value : -value), 0) / length),
    ).toSorted((one, other) => other - one);
    const u = (statistics[6] as number) / Math.sqrt(7);
    const reach = ((length / Math.sqrt(7)) * u) / Math.sqrt(1 - u * u);
    const sums = createFlipSums(signGroup(256, 7, 1), 1, 7);
    for (const value of values) sums.add([value]);
    const [interval] = createRepeatedIntervals(sums, 1, 128).look(1);
    expect(interval?.low).toBeCloseTo(centre - reach, 9);
    expect(interval?.high).toBeCloseTo(centre + reach, 9);
  });

  it("is wider where more cells and looks have to hold with it", () => {
    const { values } = madeRounds({ seed: 3, rounds: 30, effects: [0, 0, 0, 0, 0, 0], deviation: 0.02 });
    const widthOf = (cells: number, settings: typeof once): number => {
      const [cell] = judge(roundsOf(values.map((round) => round.slice(0, cells))), settings).cells;
      return Math.log((cell?.high ?? 0) / (cell?.low ?? 1));
    };
    expect(widthOf(6, once) / widthOf(1, once)).toBeGreaterThan(1.15);
    expect(widthOf(1, { ...once, looks: [10, 20, 30] })).toBeGreaterThan(widthOf(1, once));
  });

  it("keeps what an earlier look excluded", () => {
    const { values } = madeRounds({ seed: 8, rounds: 12, effects: [0], deviation: 0.01 });
    const wild = [...values, [0.4], [-0.4], [0.4]];
    const [early] = judge(roundsOf(values), gateDefaults).cells;
    const [late] = judge(roundsOf(wild), gateDefaults).cells;
    expect([late?.low, late?.high]).toEqual([early?.low, early?.high]);
  });

  it("starts anew where looks have nothing in common", () => {
    const first = Array.from({ length: 12 }, (_, round) => [round % 2 === 0 ? 0.001 : -0.001]);
    const then = Array.from({ length: 18 }, (_, round) => [0.5 + (round % 2 === 0 ? 0.001 : -0.001)]);
    const { low, high, ratio } = judge(roundsOf([...first, ...then]), gateDefaults).cells[0] ?? {};
    expect(low).toBeLessThan(ratio ?? 0);
    expect(high).toBeGreaterThan(ratio ?? 0);
  });
});

describe("a cell that may be faster", () => {
  it("is better only when all of its interval says so", () => {
    const noisy = madeRounds({ seed: 6, rounds: 30, effects: [-0.03, 0], deviation: 0.06 });
    expect(judge(noisy, gateDefaults).cells.map(({ better }) => better)).toEqual([false, false]);
  });

  it("has a bound below 1", () => {
    const [cell] = judge(madeRounds({ seed: 6, rounds: 30, effects: [-0.1], deviation: 0.02 }), gateDefaults).cells;
    expect(cell?.atMost).toBeLessThan(0.92);
    expect(cell?.atMost).toBeGreaterThan(cell?.ratio ?? 0);
  });
});

it("the bound behind a pass of one look is nearly that of a one-sided t test at 5 %", () => {
  const { values } = madeRounds({ seed: 2, rounds: 30, effects: [0.04], deviation: 0.02 });
  const [cell] = judge(roundsOf(values), once).cells;
  const t = tInterval(values.map(([value]) => value ?? 0));
  // t(0.95) / t(0.975) with 29 degrees of freedom.
  const reach = ((t?.high ?? 0) - Math.log(cell?.ratio ?? 0)) * (1.699 / 2.045);
  expect(Math.log((cell?.atMost ?? 0) / (cell?.ratio ?? 1)) / reach).toBeCloseTo(1, 1);
});
