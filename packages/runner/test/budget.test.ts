// How the time of a run is kept, by a clock that the test sets.
import { expect, it } from "vitest";
import { Budget } from "../src/rounds/budget.ts";
import type { BlockTimes } from "../src/rounds/round-times.ts";

function budgetOf(
  budgetMs: number,
  rounds: number,
  isWhole = false,
): { readonly budget: Budget; at(ms: number): Budget } {
  let now = 0;
  const budget = new Budget({ budgetMs, rounds, isWhole, elapsedMs: () => now });
  return {
    budget,
    at(ms) {
      now = ms;
      return budget;
    },
  };
}

/** As many tasks as a block of so many milliseconds has, of which each takes one. */
function aBlock(id: string, tasks: number): BlockTimes {
  const arm = { id, tasksPerRound: tasks, tasksPerBlock: tasks, callsPerTask: 1 };
  return { arm, lane: undefined, tasks, tasksMs: tasks, blockMs: tasks };
}

/** A first round of 100 ms: 20 to start up, 80 for a block of 80 tasks. */
function afterFirstRound(budgetMs: number, rounds: number, isWhole = false): ReturnType<typeof budgetOf> {
  const times = budgetOf(budgetMs, rounds, isWhole);
  times.at(0).beginRound(0);
  times.budget.beginPart("all");
  times.at(20).hasTimeForBlock(0, 1);
  times.at(100).addBlock(aBlock("one", 80));
  times.budget.endRound();
  return times;
}

it("makes whole rounds where there is time for all, and has nothing to tell", () => {
  const { budget } = afterFirstRound(1000, 5);
  expect(budget.beginRound(1)).toBe(1);
  expect(budget.warnings(5, false)).toEqual([]);
});

it("makes whole rounds while there is time for one where nobody knows how many are wanted", () => {
  const times = afterFirstRound(250, 30, true);
  expect(times.budget.beginRound(1)).toBe(1);
  expect(times.at(200).beginRound(2)).toBe(0);
  expect(times.budget.warnings(2, false)).toMatchObject([{ code: "budget" }]);
});

it("makes all rounds with fewer calls where a little is lacking, and tells the least share", () => {
  const { budget } = afterFirstRound(400, 5);
  // 300 ms for 4 rounds, 2 % in reserve, less 20 ms of start-up each, for 80 ms of blocks.
  const tasks = Math.floor(0.98 * 75 - 20);
  expect(Math.ceil(80 * budget.beginRound(1))).toBe(tasks);
  expect(budget.warnings(5, false)).toEqual([
    { code: "fewer-calls", message: "the budget of 0.4 s was short: some rounds made only 66 % of their calls" },
  ]);
});

it("makes fewer rounds where a lot is lacking, and tells so unless somebody interrupted", () => {
  const { budget } = afterFirstRound(130, 5);
  expect(budget.beginRound(1)).toBe(0);
  expect(budget.warnings(1, false)).toEqual([
    { code: "budget", message: "the budget of 0.13 s was enough for 1 of 5 rounds" },
  ]);
  expect(budget.warnings(1, true)).toEqual([]);
});

it("tells with the first round that the time does not suffice, and with how much it would", () => {
  const times = budgetOf(50, 5);
  times.budget.beginRound(0);
  times.budget.beginPart("all");
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
  times.budget.beginPart("one");
  times.at(10).hasTimeForBlock(0, 2);
  times.at(50).addBlock(aBlock("one", 40));
  times.budget.beginPart("other");
  times.at(60).hasTimeForBlock(1, 2);
  times.at(100).addBlock(aBlock("other", 40));
  times.budget.endRound();
  // 300 ms for 4 rounds, 2 % in reserve, less twice 10 ms of start-up each, for twice 40 ms of blocks.
  expect(Math.ceil(40 * times.budget.beginRound(1))).toBe(Math.floor((0.98 * 75 - 20) / 2));
});

it("goes on with whole rounds where fewer calls would save nothing, and does not give up a call at each", () => {
  // As a run over networks: 5 s of start-up, 42 s of transfers of one call each, and half a second of small calls.
  const times = budgetOf(286_000, 6);
  const shares: number[] = [];
  let now = 0;
  for (let round = 0; round < 6; round += 1) {
    shares.push(times.at(now).beginRound(round));
    const share = shares.at(-1) ?? 0;
    if (share === 0) break;
    times.budget.beginPart("all");
    times.at(now + 5_000).hasTimeForBlock(0, 43);
    for (let transfer = 0; transfer < 42; transfer += 1) {
      times.budget.addBlock({ ...aBlock(`transfer ${transfer}`, 1), tasksMs: 900, blockMs: 1_000 });
    }
    const tasks = Math.ceil(500 * share);
    times.budget.addBlock({ ...aBlock("small", 500), tasks, tasksMs: tasks, blockMs: tasks });
    now += 5_000 + 42_000 + tasks;
    times.at(now).endRound();
  }
  expect(shares).toEqual([1, 1, 1, 1, 1, 1]);
});
