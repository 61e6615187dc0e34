// Passes over what is to be measured, until it is warm.
import { expect, it, onTestFinished, vi } from "vitest";
import { makeWarmUpPasses, type WarmUpPass } from "../src/measure/warm-up-passes.ts";
import { shortWarmUp } from "../src/measure/warm-up.ts";

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

it("make up windows of as many calls as the rule says, counted of the server with the most, and end when these agree", async () => {
  const rule = { ...shortWarmUp(0, false), callsPerWindow: 10, windowMs: 60_000, maxMs: 60_000 };
  const order: string[] = [];
  const passes = [counted(order, "one", 2), counted(order, "other", 3)];
  // Four passes of three calls are ten and more.
  const agreeing = await makeWarmUpPasses(passes, { ...rule, windows: 1, tolerance: Infinity });
  expect(agreeing).toMatchObject({ calls: 2 * 4 * 3, settled: true });
  expect(order).toHaveLength(2 * 4 * 2);
});

it("are judged by the median pass of each window, which ends with its calls or its time: one delayed pass says nothing", async () => {
  // Of four passes each, unless 25 ms are over: medians of 1, 12.5, 10 and 10 ms.
  const passesMs = [1, 1, 1, 1, 12.5, 12.5, 10, 10, 10, 9, 11, 40];
  let nowMs = 1_000;
  let made = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const run = async (): Promise<void> => {
    await Promise.resolve();
    nowMs += passesMs[made] ?? 1_000;
    made += 1;
  };
  const rule = { ...shortWarmUp(0, false), callsPerWindow: 8, windowMs: 25, windows: 1, tolerance: 0.11, maxMs: 500 };
  const warmedUp = await makeWarmUpPasses([{ calls: 2, run }], rule);
  expect(warmedUp).toEqual({ calls: 24, elapsedMs: 119, settled: true });
});

it("have not settled where each window still takes another time when the time is over", async () => {
  let nowMs = 1_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  let lastedMs = 8;
  const run = async (): Promise<void> => {
    await Promise.resolve();
    nowMs += lastedMs;
    lastedMs /= 2;
  };
  const rule = { ...shortWarmUp(0, false), callsPerWindow: 1, windows: 1, tolerance: 0.05, maxMs: 15 };
  expect(await makeWarmUpPasses([{ calls: 1, run }], rule)).toMatchObject({ calls: 4, elapsedMs: 15, settled: false });
});

it("are made once at least, however little time there is", async () => {
  expect(await makeWarmUpPasses([counted([], "one", 1)], shortWarmUp(1, false))).toMatchObject({
    calls: expect.toSatisfy((calls: number) => calls > 0),
  });
});

it("last as long as the rule says, and say how long that was", async () => {
  const before = performance.now();
  const { elapsedMs, calls } = await makeWarmUpPasses([counted([], "one", 1)], shortWarmUp(30, false));
  expect(elapsedMs).toBeGreaterThanOrEqual(30);
  expect(elapsedMs).toBeLessThanOrEqual(performance.now() - before);
  expect(calls).toBeGreaterThan(0);
});
