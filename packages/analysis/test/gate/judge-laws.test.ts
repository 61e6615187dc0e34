// Laws of the gate: what must not matter to a judgement, and what it must follow from.
import { array, assert, constantFrom, double, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { gateDefaults } from "../../src/gate/gate-settings.ts";
import { judge } from "../../src/gate/judge.ts";
import { endOfJob } from "../../../../bench/self/gate/simulate.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

const settings = { ...gateDefaults, flips: 1_024, alpha: 0.05, looks: [6, 8, 12] };

const jobs = record({
  seed: nat(),
  rounds: constantFrom(6, 8, 12),
  effects: array(constantFrom(-0.05, 0, 0.02, 0.05, 0.08), { minLength: 2, maxLength: 4 }),
  deviation: constantFrom(0.002, 0.01, 0.03),
});

const runs = { numRuns: 150, seed: 11 };

describe("a judgement", () => {
  it("does not depend on the order of cells", () => {
    assert(
      property(jobs, (job) => {
        const { values } = madeRounds(job);
        const turned = judge(roundsOf(values.map((round) => round.toReversed())), settings);
        const { state, cells } = judge(roundsOf(values), settings);
        expect(turned.state).toBe(state);
        turned.cells.toReversed().forEach((cell, index) => {
          expect({ ...cell, cell: undefined }).toEqual({ ...cells[index], cell: undefined });
        });
      }),
      runs,
    );
  });

  it("does not depend on the unit of the effect: scaled with its limits, it is the same", () => {
    assert(
      property(jobs, double({ min: 0.5, max: 4, noNaN: true }), (job, factor) => {
        const { values } = madeRounds(job);
        const scaled = values.map((round) => round.map((value) => factor * value));
        const stretched = {
          ...settings,
          tolerate: Math.expm1(factor * Math.log1p(settings.tolerate)),
          detect: Math.expm1(factor * Math.log1p(settings.detect)),
        };
        const [one, other] = [judge(roundsOf(values), settings), judge(roundsOf(scaled), stretched)];
        expect(other.cells.map(({ state }) => state)).toEqual(one.cells.map(({ state }) => state));
      }),
      runs,
    );
  });

  it("never calls a cell less bad because it became slower", () => {
    assert(
      property(jobs, double({ min: 0, max: 0.1, noNaN: true }), (job, more) => {
        const { values } = madeRounds(job);
        const only = values.map(([first]) => [first ?? 0]);
        const [before] = judge(roundsOf(only), settings).cells;
        const [after] = judge(roundsOf(only.map(([value]) => [(value ?? 0) + more])), settings).cells;
        expect(before?.state === "worse" && after?.state !== "worse").toBe(false);
        expect(after?.atMost).toBeGreaterThanOrEqual((before?.atMost ?? 0) * (1 - 1e-9));
      }),
      runs,
    );
  });

  it("is never surer of a cell among others than of the same cell alone", () => {
    assert(
      property(jobs, (job) => {
        const { values } = madeRounds(job);
        const among = judge(roundsOf(values), settings).cells;
        among.forEach(({ state, low, high }, cell) => {
          const [alone] = judge(roundsOf(values.map((round) => [round[cell] ?? 0])), settings).cells;
          expect(state === "worse" && alone?.state !== "worse").toBe(false);
          expect(high / low).toBeGreaterThanOrEqual(((alone?.high ?? 0) / (alone?.low ?? 1)) * (1 - 1e-9));
        });
      }),
      runs,
    );
  });

  it("has the interval of a worse cell above what is tolerated, at the gate's own settings", () => {
    assert(
      property(nat(), constantFrom(0.03, 0.05, 0.1), constantFrom(10, 12, 15), (seed, effect, rounds) => {
        const { cells } = judge(madeRounds({ seed, rounds, effects: [effect, 0, 0], deviation: 0.01 }), gateDefaults);
        const lows = cells.filter(({ state }) => state === "worse").map(({ low }) => low);
        expect(Math.min(...lows)).toBeGreaterThan(1.02);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

describe("jobs of equal versions", () => {
  it("fail in less than one of a hundred, and pass when it is quiet", () => {
    const states = Array.from({ length: 400 }, (_, seed) => {
      return endOfJob(madeRounds({ seed, rounds: 30, effects: [0, 0, 0, 0], deviation: 0.02 }), gateDefaults).state;
    });
    expect(states.filter((state) => state === "fail").length).toBeLessThan(4);
    expect(states.filter((state) => state === "pass").length).toBeGreaterThan(390);
  });

  it("that are slower by just what is tolerated fail in about as many as alpha allows, not more", () => {
    const failed = Array.from({ length: 1_000 }, (_, seed) => {
      return endOfJob(madeRounds({ seed, rounds: 12, effects: [0.02, 0.02], deviation: 0.5 }), settings).state;
    }).filter((state) => state === "fail").length;
    // 50 of 1,000 are expected at 5 %; four standard errors are 28.
    expect(failed).toBeGreaterThan(22);
    expect(failed).toBeLessThan(78);
  });
});
