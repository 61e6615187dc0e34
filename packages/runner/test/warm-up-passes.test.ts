// Passes over what is to be measured, until it is warm.
import { expect, it, onTestFinished, vi } from "vitest";
import { makeWarmUpPasses, TaskTimes, type WarmUpPass } from "../src/measure/warm-up-passes.ts";
import { shortWarmUp, warmUpRules } from "../src/measure/warm-up.ts";

function counted(order: string[], name: string, calls: number): WarmUpPass {
  const run = async (): Promise<void> => {
    await Promise.resolve();
    order.push(name);
  };
  return { calls, run };
}

it("are made by two servers in turn, so that both have been called as often when it is over", async () => {
  const order: string[] = [];
  const pass = ["base", "head"].map((name) => counted(order, name, 3));
  const { calls } = await makeWarmUpPasses(pass, shortWarmUp(20, false));
  expect(order.length).toBeGreaterThan(2);
  expect(order).toEqual(order.map((_, place) => (place % 2 === 0 ? "base" : "head")));
  expect(2 * calls).toBe(3 * order.length);
});

/** Passes that take as long as these, the last one again and again. */
function lasting(...durationsMs: readonly number[]): WarmUpPass {
  let nowMs = 1_000;
  let made = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const run = async (): Promise<void> => {
    await Promise.resolve();
    nowMs += durationsMs[Math.min(made, durationsMs.length - 1)] ?? 0;
    made += 1;
  };
  return { calls: 2, run };
}

const alone = { ...shortWarmUp(90, false), tolerance: 0.035 };

it.each([
  ["as soon as the time is over, with passes that agree", [10], { calls: 18, elapsedMs: 90, trend: "over" }],
  ["with one delayed pass, which says nothing", [9, 9, 9, 9, 9, 9, 9, 16, 9, 9], { trend: "over" }],
  ["still getting faster", [16, 14, 12, 10, 9, 8, 7, 6], { trend: "falling" }],
  ["getting slower, which is no cold code", [9, 9, 9, 9, 9, 9, 10, 10, 10], { trend: "over" }],
  ["hidden where there are too few passes to show a trend", [30], { elapsedMs: 90, trend: "hidden" }],
  [
    "hidden where noise hides a trend",
    [6, 14, 9, 17, 5, 11, 20, 8, 13, 6, 16, 10, 4, 18, 7, 12, 15],
    { trend: "hidden" },
  ],
] as const)("end %s", async (_, durationsMs, expected) => {
  expect(await makeWarmUpPasses([lasting(...durationsMs)], alone)).toMatchObject(expected);
});

it.each([
  ["two passes that agree, however long they take", [4_000], { calls: 4, elapsedMs: 8_000, trend: "over" }],
  ["as soon as the last two thirds agree", [300, 200, 100], { calls: 12, elapsedMs: 900, trend: "over" }],
  ["at its limit", [900, 800, 700, 600, 500], { elapsedMs: 3_000, trend: "falling" }],
] as const)("of far pairs end with %s", async (_, durationsMs, expected) => {
  expect(await makeWarmUpPasses([lasting(...durationsMs)], warmUpRules(450).far)).toMatchObject(expected);
});

function estimatesOf(passes: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const times = new TaskTimes();
  for (const pass of passes) {
    for (const [armId, ms] of Object.entries(pass)) times.add(armId, ms);
  }
  return times.estimates;
}

it.each([
  {
    what: "steady calls take what they took",
    passes: [
      { a: 1, b: 4 },
      { a: 1, b: 4 },
    ],
    estimates: { a: 1, b: 4 },
  },
  {
    what: "cold passes do not count",
    passes: [
      { a: 90, b: 9 },
      { a: 40, b: 9 },
      { a: 1, b: 4 },
      { a: 1, b: 4 },
    ],
    estimates: { a: 1, b: 4 },
  },
  {
    what: "a machine that others use slows the estimates",
    passes: [
      { a: 1, b: 4 },
      { a: 1, b: 4 },
      { a: 1, b: 4 },
      { a: 4, b: 6 },
      { a: 2, b: 10 },
      { a: 9, b: 90 },
    ],
    estimates: { a: 3, b: 8 },
  },
  {
    what: "a single pause says nothing",
    passes: [{ a: 1 }, { a: 1 }, { a: 1 }, { a: 50 }, { a: 1 }, { a: 1 }],
    estimates: { a: 1 },
  },
  { what: "one pass is better than none", passes: [{ a: 5 }], estimates: { a: 5 } },
  { what: "nothing is known without passes", passes: [], estimates: {} },
])("$what", ({ passes, estimates }) => {
  expect(estimatesOf(passes as readonly Readonly<Record<string, number>>[])).toEqual(estimates);
});
