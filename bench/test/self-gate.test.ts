// The evidence about the gate: that simulated jobs are what they claim to be, and are counted right.
import { randomFrom } from "@roundtrip/analysis/statistics";
import { describe, expect, it } from "vitest";
import { exactInterval, roundsToVerdict } from "../self/gate/shares.ts";
import { noises, simulateJobs, simulatedCells, type JobsAsked } from "../self/gate/simulate.ts";

describe("the exact interval of a share", () => {
  it.each([
    { count: 0, trials: 10_000, low: 0, high: 1 - 0.025 ** (1 / 10_000) },
    { count: 10_000, trials: 10_000, low: 0.025 ** (1 / 10_000), high: 1 },
    // Tables of Clopper and Pearson's intervals.
    { count: 5, trials: 100, low: 0.0164, high: 0.1128 },
    { count: 50, trials: 100, low: 0.3983, high: 0.6017 },
  ])("of $count in $trials is from $low to $high", ({ count, trials, low, high }) => {
    const interval = exactInterval(count, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

function momentsOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}

describe("every kind of noise", () => {
  it.each(noises)("$name is on nobody's side and as strong as it says", ({ name, from }) => {
    const source = from(randomFrom(1, "noise"));
    const series = Array.from({ length: 2_000 }, () => [...source(10)]);
    const { mean, variance } = momentsOf(series.flat());
    expect(Math.abs(mean)).toBeLessThan(0.06);
    // Spikes come on top: 0.05 · 2 · 6².
    const expected = name === "spiky" ? 4.6 : 1;
    expect(variance / expected).toBeGreaterThan(0.8);
    expect(variance / expected).toBeLessThan(1.25);
  });

  it("is independent of the round before, except the autocorrelated kind", () => {
    const resemblance = noises.map(({ name, from }) => {
      const source = from(randomFrom(2, "noise"));
      const pairs = Array.from({ length: 5_000 }, () => [...source(2)]);
      const product = pairs.reduce((sum, [one, other]) => sum + (one ?? 0) * (other ?? 0), 0) / pairs.length;
      return { name, resembles: product / momentsOf(pairs.flat()).variance > 0.25 };
    });
    expect(resemblance.filter(({ resembles }) => resembles).map(({ name }) => name)).toEqual(["autocorrelated"]);
  });
});

function asked(changes: Partial<JobsAsked>): JobsAsked {
  const effects = simulatedCells.map(() => 0);
  return { noise: "normal", effects, from: 0, jobs: 40, seed: 4, ...changes };
}

describe("simulated jobs", () => {
  it("are the same again from the same seed", () => {
    const request = asked({ noise: "spiky", effects: simulatedCells.map(() => 0.04), jobs: 5 });
    expect(simulateJobs(request)).toEqual(simulateJobs(request));
    expect(simulateJobs({ ...request, from: 10 })).not.toEqual(simulateJobs(request));
  });

  it("of equal versions pass, of a change nobody can overlook are blocked, by cells that are changed", () => {
    expect(simulateJobs(asked({}))).toMatchObject({ jobs: 40, failed: 0, blocked: 0, passed: 40 });
    const effects = simulatedCells.map((_, cell) => (cell === 3 ? 0.2 : 0));
    const tally = simulateJobs(asked({ effects }));
    expect(tally).toMatchObject({ failed: 40, blocked: 40, misnamed: 0, passed: 0 });
    expect(tally.covered).toBeGreaterThan(33);
  });
});

describe("rounds to the verdict", () => {
  it("are the fewest by which so many jobs had ended", () => {
    const tally = { jobs: 10, endedAfter: { 8: 4, 10: 1, 12: 4, 30: 1 } };
    expect([0.4, 0.5, 0.6, 0.9, 0.95].map((part) => roundsToVerdict(tally, part))).toEqual([8, 10, 12, 12, 30]);
  });
});
