// Rules of other tools as these have them: figures from their sources, or counted by hand.
import { describe, expect, it } from "vitest";
import { benchstat } from "../self/gate/rules-of-others/benchstat.ts";
import { fixedRatio, fixedRatioAcrossJobs } from "../self/gate/rules-of-others/fixed-ratio.ts";
import { mannWhitneyP } from "../self/gate/rules-of-others/mann-whitney.ts";
import type { ArmRound, StoredRounds } from "../self/gate/rules-of-others/stored-rounds.ts";
import { tachometer } from "../self/gate/rules-of-others/tachometer.ts";
import { welchOnRequests } from "../self/gate/rules-of-others/welch-on-requests.ts";

/** Rounds whose means wave between ±`wave` around `mean`. */
function arm(rounds: number, mean: number, wave: number, phase = 0): readonly ArmRound[] {
  return Array.from({ length: rounds }, (_, round) => ({
    mean: mean * (1 + wave * Math.sin(2 * round + phase)),
    variance: (0.3 * mean) ** 2,
    count: 1_000,
  }));
}

/** Rounds of one request each. */
function single(...means: readonly number[]): readonly ArmRound[] {
  return means.map((mean) => ({ mean, variance: 0, count: 1 }));
}

/** Fifty rounds, in turn 0.1 above and below the mean. */
function alternating(mean: number): readonly ArmRound[] {
  return Array.from({ length: 50 }, (_, round) => ({
    mean: mean + (round % 2 === 0 ? 0.1 : -0.1),
    variance: 1,
    count: 9,
  }));
}

function cell(base: number, head: number, wave = 0.01, rounds = 120): StoredRounds {
  return { base: arm(rounds, base, wave), head: arm(rounds, head, wave, 1) };
}

describe("the Mann–Whitney test", () => {
  it("has benchstat's smallest probabilities when all of one sample are above the other", () => {
    const smallest = [1, 0.3333333333333333, 0.1, 0.02857142857142857, 0.007936507936507936, 0.0021645021645021645];
    smallest.forEach((expected, index) => {
      const one = Array.from({ length: index + 1 }, (_, value) => value);
      expect(
        mannWhitneyP(
          one,
          one.map((value) => value + 100),
        ),
      ).toBeCloseTo(expected, 12);
    });
  });

  it("counts orders: of two and two, four of six are at least as far off as U = 1", () => {
    expect(mannWhitneyP([1, 3], [2, 4])).toBeCloseTo(4 / 6, 12);
    expect(mannWhitneyP([1, 4], [2, 3])).toBe(1);
    expect(mannWhitneyP([2], [1, 3])).toBe(1);
  });

  it("counts equal values half: of the same two on both sides U is in the middle", () => {
    expect(mannWhitneyP([1, 2], [1, 2])).toBe(1);
  });
});

describe("the rule of", () => {
  it("benchstat alarms when the U test of ten rounds does, and head is the slower one", () => {
    expect(benchstat.judge(cell(10, 11))).toEqual({ isAlarm: true, rounds: 10 });
    expect(benchstat.judge(cell(11, 10)).isAlarm).toBe(false);
    expect(benchstat.judge(cell(10, 10)).isAlarm).toBe(false);
  });

  it("Welch on requests alarms for what a few rounds cannot know", () => {
    // 30,000 requests a side of 30 % spread know a mean to 0.25 %.
    expect(welchOnRequests.judge(cell(10, 10.06, 0)).isAlarm).toBe(true);
    expect(welchOnRequests.judge(cell(10, 10.02, 0)).isAlarm).toBe(false);
    expect(welchOnRequests.judge(cell(10, 9, 0)).isAlarm).toBe(false);
  });

  it("Welch on requests counts what lies between rounds as well as what lies within", () => {
    // Means 10 ± 1 of two requests: squared error 2 / (2 − 1) / 2 = 1 on both sides, so that t is the difference by √2; 1.96 · √2 is 2.772.
    expect(welchOnRequests.judge({ base: single(9, 11), head: single(11.78, 13.78) }).isAlarm).toBe(true);
    expect(welchOnRequests.judge({ base: single(9, 11), head: single(11.76, 13.76) }).isAlarm).toBe(false);
  });

  it("tachometer counts degrees of freedom", () => {
    // Three rounds: variance 1, relative error √((1 / 3 · b² + 1 / 3 · a²) / a⁴); with a = 100, b = 103.6 it is 0.831 %, and t(2) · that is 3.58 %.
    expect(tachometer.judge({ base: single(99, 100, 101), head: single(102.6, 103.6, 104.6) })).toEqual({
      isAlarm: true,
      rounds: 3,
    });
    expect(tachometer.judge({ base: single(99, 100, 101), head: single(102.5, 103.5, 104.5) })).toEqual({
      isAlarm: false,
      rounds: 3,
    });
  });

  it("tachometer goes on by tens from fifty until its interval is clear of 0, or rounds are over", () => {
    expect(tachometer.judge(cell(10, 10.5))).toEqual({ isAlarm: true, rounds: 50 });
    // Standard error √(2 · 0.01² · 50 / 49 / 50) = 0.2 %, t(49) = 2.01: half a per cent is clear of 0, 0.35 % is not.
    expect(tachometer.judge({ base: alternating(10), head: alternating(10.05) }).isAlarm).toBe(true);
    expect(tachometer.judge({ base: alternating(10), head: alternating(10.035) }).isAlarm).toBe(false);
    expect(tachometer.judge(cell(10.5, 10))).toEqual({ isAlarm: false, rounds: 50 });
    expect(tachometer.judge(cell(10, 10))).toEqual({ isAlarm: false, rounds: 120 });
    const { rounds } = tachometer.judge(cell(10, 10.22, 0.1));
    expect(rounds).toBeGreaterThan(50);
    expect(rounds % 10).toBe(0);
  });

  it("a fixed threshold sees what is a tenth more, and across jobs whatever the other job was", () => {
    expect(fixedRatio.judge(cell(10, 11.1)).isAlarm).toBe(true);
    expect(fixedRatio.judge(cell(10, 10.9)).isAlarm).toBe(false);
    // The first round counts, and the thirty-first does not.
    expect(fixedRatio.judge({ base: single(10, 10), head: single(20, 10) }).isAlarm).toBe(true);
    const thirty = Array.from({ length: 30 }, () => 10);
    expect(fixedRatio.judge({ base: single(...thirty), head: single(...thirty, 1_000) }).isAlarm).toBe(false);
    expect(fixedRatioAcrossJobs(0.8).judge(cell(10, 10)).isAlarm).toBe(true);
    expect(fixedRatioAcrossJobs(1.2).judge(cell(10, 11.5)).isAlarm).toBe(false);
  });
});
