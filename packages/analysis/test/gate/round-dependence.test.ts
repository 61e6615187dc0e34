// That the gate notices when a round resembles the one before.
import { describe, expect, it } from "vitest";
import { dependenceWarnings, roundDependence } from "../../src/gate/round-dependence.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

const effects = [0, 0.05, 0, 0];

function noise(seed: number, rounds: number): readonly (readonly number[])[] {
  return madeRounds({ seed, rounds, effects, deviation: 0.02 }).values;
}

/** Each round keeps half of the one before. */
function remembering(seed: number, rounds: number): readonly (readonly number[])[] {
  const kept: number[][] = [];
  for (const round of noise(seed, rounds)) {
    const before = kept.at(-1);
    kept.push(round.map((value, cell) => 0.5 * (before?.[cell] ?? 0) + value));
  }
  return kept;
}

describe("rounds", () => {
  it("that know nothing of each other are noticed about once in a hundred jobs", () => {
    const noticed = Array.from({ length: 200 }, (_, seed) => roundDependence(roundsOf(noise(seed, 10)), 1).isNoticed);
    expect(noticed.filter(Boolean).length).toBeLessThan(8);
  });

  it("that keep half of what the round before was are noticed in most jobs of fifteen", () => {
    const noticed = Array.from(
      { length: 50 },
      (_, seed) => roundDependence(roundsOf(remembering(seed, 15)), 1).isNoticed,
    );
    expect(noticed.filter(Boolean).length).toBeGreaterThan(30);
  });

  it("that drift slowly resemble each other", () => {
    const drifting = noise(1, 20).map((values, round) => values.map((value) => value + 0.01 * round));
    const { correlation, isNoticed } = roundDependence(roundsOf(drifting), 1);
    expect(correlation).toBeGreaterThan(0.5);
    expect(isNoticed).toBe(true);
    const [warning] = dependenceWarnings(roundsOf(drifting), 1);
    expect(warning?.message).toContain(
      `rounds resemble the ones before them (autocorrelation ${correlation.toFixed(2)})`,
    );
  });

  it("have the autocorrelation of textbooks: of 1, 2, 3 and 4 it is a quarter, of two cells the mean of theirs", () => {
    // Deviations −1.5, −0.5, 0.5, 1.5: (0.75 − 0.25 + 0.75) / 5; and 1, −1, 1, −1: −3 / 4.
    const rising = [[1], [2], [3], [4]];
    expect(roundDependence(roundsOf(rising), 1).correlation).toBeCloseTo(0.25, 12);
    const both = rising.map(([value], round) => [value ?? 0, round % 2]);
    expect(roundDependence(roundsOf(both), 1).correlation).toBeCloseTo((0.25 - 0.75) / 2, 12);
    // Of 24 orders only this one and its reverse are as much in order.
    const { probability } = roundDependence(roundsOf(rising), 1);
    expect(probability).toBeGreaterThan(2 / 24 - 0.03);
    expect(probability).toBeLessThan(2 / 24 + 0.03);
  });

  it("are not noticed that more than one order in a hundred puts next to each other as well", () => {
    const { probability, isNoticed } = roundDependence(roundsOf([0, 1, 2, 4, 8, 16].map((value) => [value])), 1);
    expect(probability).toBeGreaterThan(0.01);
    expect(probability).toBeLessThan(0.02);
    expect(isNoticed).toBe(false);
  });

  it("that are too few, do not scatter or are missing say nothing", () => {
    const nothing = { correlation: Number.NaN, probability: 1, isNoticed: false };
    expect(roundDependence(roundsOf([[1], [2]]), 1)).toEqual(nothing);
    expect(dependenceWarnings(roundsOf(noise(1, 10)), 1)).toEqual([]);
    expect(dependenceWarnings({ cells: [], values: [] }, 1)).toEqual([]);
    expect(roundDependence(roundsOf([[1], [1], [1], [1]]), 1)).toEqual(nothing);
    expect(roundDependence(roundsOf([[Number.NaN], [Number.NaN], [Number.NaN]]), 1)).toEqual(nothing);
    const holes = noise(4, 12).map((values, round) =>
      values.map((value, cell) => (round === cell ? Number.NaN : value)),
    );
    expect(roundDependence(roundsOf(holes), 1).correlation).not.toBeNaN();
  });
});
