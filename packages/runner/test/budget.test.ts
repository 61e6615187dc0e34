// How the time of a run is kept, by a clock that the test sets.
import { describe, expect, it } from "vitest";
import { Budget, type BudgetOptions } from "../src/rounds/budget.ts";
import { leastShare } from "../src/rounds/effort.ts";
import type { BlockTimes } from "../src/rounds/round-times.ts";
import { anArm } from "./support/an-arm.ts";

interface Times {
  readonly budget: Budget;
  at(ms: number): Budget;
}

const verified = { verificationMs: 0, verifiedCalls: 0 };

/** Cells of three priorities, each of one arm. */
const arms = [1, 2, 3].map((priority) => ({
  ...anArm({ stack: "rest", variant: "facade", attributes: priority, tasksPerRound: 80, tasksPerBlock: 80 }),
  priority,
}));

function budgetOf(budgetMs: number, rounds: number, how: Partial<BudgetOptions> = {}): Times {
  let now = 0;
  const budget = new Budget({ budgetMs, rounds, isFirm: true, arms: arms.slice(0, 1), elapsedMs: () => now, ...how });
  return {
    budget,
    at(ms) {
      now = ms;
      return budget;
    },
  };
}

/** As many tasks as a block of so many milliseconds has, of which each takes one. */
function aBlock(id: string, tasks: number, priority = 1): BlockTimes {
  const arm = { id, tasksPerRound: tasks, tasksPerBlock: tasks, callsPerTask: 1, priority };
  return { arm, lane: undefined, tasks, tasksMs: tasks, blockMs: tasks };
}

/** A first round of 100 ms: 20 to start up, 80 for a block of 80 tasks. */
function afterFirstRound(budgetMs: number, rounds: number, how: Partial<BudgetOptions> = {}): Times {
  const times = budgetOf(budgetMs, rounds, how);
  times.at(0).beginRound(0);
  times.budget.beginPart("all");
  times.at(20).hasTimeForBlock(0, 1);
  times.at(100).addBlock(aBlock("one", 80));
  times.budget.endRound(verified);
  return times;
}

describe("later rounds", () => {
  it("are whole where there is time for all, and nothing is left out", () => {
    const { budget } = afterFirstRound(1000, 5);
    expect(budget.beginRound(1)?.share).toBe(1);
    expect(budget.warnings(5, false)).toEqual([]);
    expect(budget.leftOut(arms.slice(0, 1))).toBeUndefined();
  });

  it.each([
    { standstillMs: 50, isWhole: true },
    { standstillMs: 0, isWhole: false },
  ])("are not expected to stand still for the $standstillMs ms of the round before", ({ standstillMs, isWhole }) => {
    // The round takes 150 ms, and 350 are left for three more.
    const times = budgetOf(500, 4);
    times.at(0).beginRound(0);
    times.budget.beginPart("all");
    times.at(20).hasTimeForBlock(0, 1);
    times.at(150).addStandstill(standstillMs);
    times.budget.addBlock(aBlock("one", 80));
    times.budget.endRound(verified);
    expect(times.budget.beginRound(1)?.share === 1).toBe(isWhole);
  });

  it("are more than planned where calls were left out and time remains, up to the most, each as the last planned one", () => {
    // A round was planned to take 75 ms, and takes 40.
    const times = afterFirstRound(176, 2, { mostRounds: 4 });
    const { budget } = times;
    const share = budget.beginRound(1)?.share ?? 1;
    expect(share).toBeLessThan(0.8);
    const tasks = Math.ceil(80 * share);
    const run = (atMs: number): void => {
      budget.addBlock({ ...aBlock("one", 80), tasks, tasksMs: 20, blockMs: 20 });
      times.at(atMs).endRound(verified);
    };
    run(125);
    expect(budget.beginRound(2)?.share).toBe(share);
    run(150);
    expect(times.at(152).beginRound(3)).toBeUndefined();
    expect(times.at(150).beginRound(3)?.share).toBe(share);
    run(151);
    expect(budget.beginRound(4)).toBeUndefined();
    expect(budget.warnings(4, false)).toEqual([]);
  });

  it("are as many as planned where nothing was left out, or where their number was asked for", () => {
    const whole = afterFirstRound(1_000, 1, { mostRounds: 2 });
    expect(whole.budget.beginRound(1)).toBeUndefined();
    const asked = afterFirstRound(176, 2);
    asked.budget.beginRound(1);
    asked.budget.addBlock({ ...aBlock("one", 80), tasks: 20, tasksMs: 1, blockMs: 1 });
    asked.at(126).endRound(verified);
    expect(asked.budget.beginRound(2)).toBeUndefined();
  });

  it("that were not planned end with the default time", () => {
    const times = afterFirstRound(176, 2, { mostRounds: 3, isFirm: false });
    times.budget.beginRound(1);
    times.budget.addBlock({ ...aBlock("one", 80), tasks: 20, tasksMs: 1, blockMs: 1 });
    times.at(126).endRound(verified);
    expect(times.budget.beginRound(2)).toBeDefined();
    expect(times.at(176 + 26).hasTimeForBlock(1, 2)).toBe(true);
    expect(times.at(176 + 27).hasTimeForBlock(1, 2)).toBe(false);
  });

  it("know when the time has come to its end", () => {
    const times = budgetOf(450, 4);
    expect([times.at(449).isSpent, times.at(450).isSpent]).toEqual([false, true]);
  });

  it("are whole while there is time for one, if their number is not given", () => {
    const times = afterFirstRound(250, 30, { isWhole: true });
    expect(times.budget.beginRound(1)?.share).toBe(1);
    expect(times.at(200).beginRound(2)).toBeUndefined();
    expect(times.budget.warnings(2, false)).toMatchObject([{ code: "budget" }]);
  });

  it("have fewer calls where a little time is missing, and the run says the least share and the budget for all", () => {
    const times = afterFirstRound(400, 5);
    // 300 ms for 4 rounds, 2 % in reserve, less three quarters of the 20 ms of start-up for each, for 80 ms of blocks.
    const tasks = Math.floor(0.98 * 75 - 15);
    expect(Math.ceil(80 * (times.budget.beginRound(1)?.share ?? 0))).toBe(tasks);
    times.budget.addBlock(aBlock("one", 80));
    times.at(200).endRound(verified);
    expect(times.budget.leftOut(arms.slice(0, 1))).toEqual({
      cells: [],
      armIds: [],
      leastShareOfCalls: tasks / 80,
      withinMs: 400,
      budgetMs: 5_000,
    });
  });

  it("are fewer if the given time is far too short, unless the run was interrupted", () => {
    const { budget } = afterFirstRound(120, 5);
    expect(budget.beginRound(1)).toBeUndefined();
    expect(budget.warnings(1, false)).toEqual([
      { code: "budget", message: "the budget of 0.12 s was enough for 1 of 5 rounds" },
    ]);
    expect(budget.warnings(1, true)).toEqual([]);
  });

  it("are all run if no time was given, with the fewest calls", () => {
    const times = afterFirstRound(130, 5, { isFirm: false });
    expect(times.budget.beginRound(1)?.share).toBe(leastShare);
    expect(times.at(100_000).hasTimeForBlock(0, 1)).toBe(true);
  });

  it("are waited for when they began in time, unless they take far longer than the one before", () => {
    const times = afterFirstRound(230, 3);
    times.budget.beginRound(1);
    expect(times.at(231).hasTimeForBlock(5, 10)).toBe(true);
    expect(times.at(331).hasTimeForBlock(6, 10)).toBe(false);
  });

  it("go on whole where fewer calls would save nothing, and do not give up a call at each", () => {
    // As a run over networks: 5 s of start-up, 42 s of transfers of one call each, and half a second of small calls.
    const times = budgetOf(286_000, 6);
    const shares: number[] = [];
    let now = 0;
    for (let round = 0; round < 6; round += 1) {
      const share = times.at(now).beginRound(round)?.share ?? 0;
      shares.push(share);
      if (share === 0) break;
      times.budget.beginPart("all");
      times.at(now + 5_000).hasTimeForBlock(0, 43);
      for (let transfer = 0; transfer < 42; transfer += 1) {
        times.budget.addBlock({ ...aBlock(`transfer ${transfer}`, 1), tasksMs: 900, blockMs: 1_000 });
      }
      const tasks = Math.ceil(500 * share);
      times.budget.addBlock({ ...aBlock("small", 500), tasks, tasksMs: tasks, blockMs: tasks });
      now += 5_000 + 42_000 + tasks;
      times.at(now).endRound(verified);
    }
    expect(shares).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

/** A first round whose processes were ready after 100 ms, with calls of a millisecond: 80 tasks of each arm take 84 ms. */
function ready(budgetMs: number, how: Partial<BudgetOptions> = {}): Times {
  const times = budgetOf(budgetMs, 6, { isFirm: false, arms, ...how });
  times.at(0).beginRound(0);
  times.budget.beginPart("all");
  times.at(100);
  return times;
}
const timeSinceRoundStart = { roundMs: 100, ...verified };
const part = { arms, msPerCall: () => 1, timeSinceRoundStart, isAll: true };

describe("the first round", () => {
  it("measures everything where six rounds of it fit, by what calls took in warming up", () => {
    expect(ready(6 * 370).budget.partReady(part)).toEqual({ lowestPriority: 3, share: 1 });
  });

  it("leaves out the lowest priorities before it begins", () => {
    expect(ready(6 * 280).budget.partReady(part)).toEqual({ lowestPriority: 2, share: 1 });
    const { budget } = ready(6 * 200);
    expect(budget.partReady(part)).toEqual({ lowestPriority: 1, share: 1 });
    expect(arms.map((arm) => budget.isLeftOut(arm))).toEqual([false, true, true]);
  });

  it("keeps its plan of fewer rounds with everything, where a given time does not suffice for six with anything", () => {
    const times = budgetOf(13_800, 6, { arms });
    times.at(0).beginRound(0);
    times.budget.beginPart("all");
    const startUp = { roundMs: 3_000, ...verified };
    const planned = times.at(3_000).partReady({ ...part, timeSinceRoundStart: startUp });
    expect(planned).toEqual({ lowestPriority: 3, share: 1 });
    expect(arms.map((arm) => times.budget.isLeftOut(arm))).toEqual([false, false, false]);
  });

  it("leaves out what is still to come when calls take longer than expected, and all of that priority", () => {
    const times = ready(6 * 370);
    times.budget.partReady(part);
    times.at(600).addBlock({ ...aBlock(arms[0]?.id ?? "", 80), tasksMs: 496, blockMs: 500 });
    expect(arms.map((arm) => times.budget.isLeftOut(arm))).toEqual([false, true, true]);
    times.budget.endRound(verified);
    const leftOut = times.budget.leftOut(arms);
    expect(leftOut?.cells.map(({ priority }) => priority)).toEqual([2, 3]);
    expect(leftOut?.armIds).toEqual([arms[1]?.id, arms[2]?.id]);
  });

  it("says that the floor was left out, which is no cell, where no cell has a result of it", () => {
    const [first, second, third] = arms.map((arm) => ({ ...arm, id: `floor ${arm.id}`, role: "floor" as const }));
    if (first === undefined || second === undefined || third === undefined) throw new Error("three arms are needed");
    const { budget } = ready(6 * 200);
    budget.partReady(part);
    const gone = budget.leftOut([...arms, { ...first, priority: 2 }, second, third]);
    expect(gone).toMatchObject({ isFloorLeftOut: true });
    expect(gone?.cells.map(({ priority }) => priority)).toEqual([2, 3]);
    expect(gone?.armIds).toHaveLength(5);
    expect(budget.leftOut([...arms, first, second, third])).not.toHaveProperty("isFloorLeftOut");
  });

  it("that was interrupted names a budget for all rounds of everything", () => {
    const times = ready(6 * 200);
    times.budget.partReady(part);
    // 100 ms of start-up and three blocks of 84 ms, six times and a tenth more: 2.3 s. The budget itself is 1.2 s.
    expect(times.at(150).leftOut(arms)).toMatchObject({ withinMs: 1_200, budgetMs: 5_000 });
    const long = ready(6 * 15_000);
    long.budget.partReady({ ...part, msPerCall: () => 100 });
    // 24.1 s a round instead of the 15 s that there were.
    expect(long.budget.leftOut(arms)?.budgetMs).toBe(160_000);
  });

  it("leaves out at its end what the rounds to come have no time for, and nothing in later ones", () => {
    const times = budgetOf(1_000, 6, { isFirm: false, arms });
    times.at(0).beginRound(0);
    times.budget.beginPart("all");
    for (const priority of [1, 2, 3]) times.budget.addBlock(aBlock(`of ${priority}`, 100, priority));
    times.at(350).endRound(verified);
    expect(times.budget.beginRound(1)).toMatchObject({ lowestPriority: 1 });
    times.budget.addBlock(aBlock("of 1", 100));
    times.at(5_000).endRound(verified);
    expect(times.budget.beginRound(2)).toEqual({ lowestPriority: 1, share: leastShare });
  });

  it("is not ended by the default time", () => {
    const times = ready(50);
    expect(times.budget.partReady(part)).toEqual({ lowestPriority: 1, share: leastShare });
    expect(times.at(9_000).hasTimeForBlock(1, 3)).toBe(true);
  });

  it("says that a given time does not suffice, and which would", () => {
    const times = budgetOf(50, 5);
    times.budget.beginRound(0);
    times.budget.beginPart("all");
    expect(times.at(20).hasTimeForBlock(0, 1000)).toBe(true);
    // 10 blocks in 40 ms, so that the other 990 take 4 s, and a fifth more to be on the safe side.
    expect(() => times.at(60).hasTimeForBlock(10, 1000)).toThrow(
      "the budget of 0.05 s is too small for one round: give at least --budget 5s (about 25s for all 5 rounds),",
    );
  });

  it("names no budget that is smaller than what has been spent", () => {
    const times = budgetOf(14_000, 6);
    times.budget.beginRound(0);
    times.budget.beginPart("all");
    expect(() => times.at(15_000).hasTimeForBlock(0, 1)).toThrow("--budget 36s");
  });
});

it("estimates what remains from the blocks so far, and never more than a time that is left", () => {
  const times = budgetOf(1000, 4);
  expect(times.budget.remainingMs(0)).toBeUndefined();
  expect(times.at(100).remainingMs(0.25)).toBe(300);
  expect(times.at(800).remainingMs(0.25)).toBe(200);
  expect(times.at(1200).remainingMs(0.75)).toBe(400);
});
