// How the time of a run is kept, by a clock that the test sets.
import { expect, it } from "vitest";
import { Budget } from "../src/rounds/budget.ts";

function budgetOf(budgetMs: number, rounds: number): { readonly budget: Budget; at(ms: number): Budget } {
  let now = 0;
  const budget = new Budget({ budgetMs, rounds, elapsedMs: () => now });
  return {
    budget,
    at(ms) {
      now = ms;
      return budget;
    },
  };
}

/** A first round of 100 ms: 20 to start up, 80 for ten blocks. */
function afterFirstRound(budgetMs: number, rounds: number): ReturnType<typeof budgetOf> {
  const times = budgetOf(budgetMs, rounds);
  times.at(0).beginRound(0);
  times.budget.beginPart();
  times.at(20).hasTimeForBlock(0, 10);
  times.at(100).endRound();
  return times;
}

it("makes whole rounds where there is time for all, and has nothing to tell", () => {
  const { budget } = afterFirstRound(1000, 5);
  expect(budget.beginRound(1)).toBe(1);
  expect(budget.warnings(5, false)).toEqual([]);
});

it("makes all rounds with fewer calls where a little is lacking, and tells the least share", () => {
  const { budget } = afterFirstRound(400, 5);
  // 300 ms for 4 rounds, 2 % in reserve, less 20 ms of start-up each, for 80 ms of blocks.
  expect(budget.beginRound(1)).toBeCloseTo((0.98 * 75 - 20) / 80);
  expect(budget.warnings(5, false)).toEqual([
    { code: "fewer-calls", message: "the budget of 0.4 s was short: some rounds made only 67 % of their calls" },
  ]);
});

it("makes fewer rounds where a lot is lacking, and tells so unless somebody interrupted", () => {
  const { budget } = afterFirstRound(150, 5);
  expect(budget.beginRound(1)).toBe(0);
  expect(budget.warnings(1, false)).toEqual([
    { code: "budget", message: "the budget of 0.15 s was enough for 1 of 5 rounds" },
  ]);
  expect(budget.warnings(1, true)).toEqual([]);
});

it("tells with the first round that the time does not suffice, and with how much it would", () => {
  const times = budgetOf(50, 5);
  times.budget.beginRound(0);
  times.budget.beginPart();
  expect(times.at(20).hasTimeForBlock(0, 1000)).toBe(true);
  // 10 blocks in 40 ms: 1000 take 4 s, and a fifth more to be on the safe side.
  expect(() => times.at(60).hasTimeForBlock(10, 1000)).toThrow(
    "the budget of 0.05 s is too small for one round: give at least --budget 5s,",
  );
});

it("waits for a later round that began in time, but not for one that takes far longer than the one before", () => {
  const times = afterFirstRound(230, 3);
  times.budget.beginRound(1);
  expect(times.at(231).hasTimeForBlock(5, 10)).toBe(true);
  expect(times.at(331).hasTimeForBlock(6, 10)).toBe(false);
});

it("estimates what remains from the blocks so far, and never more than the budget leaves", () => {
  const times = budgetOf(1000, 4);
  expect(times.budget.remainingMs(0)).toBeUndefined();
  expect(times.at(100).remainingMs(0.25)).toBe(300);
  expect(times.at(800).remainingMs(0.25)).toBe(200);
});

it("takes what each part of a round needs to start up for start-up, and not for what fewer calls would shorten", () => {
  const times = budgetOf(400, 5);
  times.at(0).beginRound(0);
  times.budget.beginPart();
  times.at(10).hasTimeForBlock(0, 10);
  times.at(50).beginPart();
  times.at(60).hasTimeForBlock(5, 10);
  times.at(100).endRound();
  // 300 ms for 4 rounds, 2 % in reserve, less twice 10 ms of start-up each, for 80 ms of blocks.
  expect(times.budget.beginRound(1)).toBeCloseTo((0.98 * 75 - 20) / 80);
});
