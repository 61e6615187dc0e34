import { describe, expect, it } from "vitest";
import { hasSettled, isOver, warmedUp, warmUpRules, type WarmUpRule } from "../src/measure/warm-up.ts";
import type { Plan } from "../src/study.ts";

const rule: WarmUpRule = {
  callsPerWindow: 100,
  windowMs: 100,
  windows: 3,
  tolerance: 0.05,
  minMs: 0,
  maxMs: 1_000,
  leastWindows: 0,
  leavesOutRepeats: false,
};

function anArm(id: string, order: Plan["order"], steps: Plan["steps"]): { readonly id: string; readonly plan: Plan } {
  // As from a message: equal, and not the same.
  return { id, plan: { order, steps: structuredClone(steps), driver: "own" } };
}

describe("warm-up", () => {
  it("has not settled before there are two sets of windows to compare", () => {
    expect(hasSettled([10, 10, 10, 10, 10], rule)).toBe(false);
    expect(hasSettled([10, 10, 10, 10, 10, 10], rule)).toBe(true);
  });

  it("goes on while calls still get faster", () => {
    expect(hasSettled([30, 25, 20, 15, 12, 10], rule)).toBe(false);
  });

  it("looks at the last windows only, so that a slow start is forgiven once it is over", () => {
    expect(hasSettled([90, 50, 20, 10, 10.2, 9.9, 10, 10.1, 9.8], rule)).toBe(true);
  });

  it("lasts as long as was asked for, and gives each stack at least as long to settle", () => {
    const { together, alone, far } = warmUpRules(5_000);
    expect([together.minMs, together.maxMs, alone.minMs, alone.maxMs]).toEqual([5_000, 5_000, 0, 5_000]);
    expect([far.minMs, far.maxMs]).toEqual([5_000, 5_000]);
    expect([warmUpRules(450).alone.maxMs, warmUpRules(450).far.maxMs]).toEqual([750, 3_000]);
  });

  it("is over when it has settled and lasted long enough, or when its time is up", () => {
    const slow = { ...rule, windows: 1, minMs: 500 };
    expect([400, 600].map((elapsedMs) => isOver([10, 10], elapsedMs, slow))).toEqual([false, true]);
    expect([600, 1_000].map((elapsedMs) => isOver([20, 10], elapsedMs, slow))).toEqual([false, true]);
  });

  it("compares two passes over the farthest links, however long they take", () => {
    const { far } = warmUpRules(450);
    expect(isOver([4_000], 4_000, far)).toBe(false);
    expect(isOver([4_000, 3_000], 7_000, far)).toBe(true);
  });

  it("leaves calls one after the other to the same calls at once, where they have far to go", () => {
    const steps = ["a", "b"].map((operation) => ({ operation, request: {} }));
    const single = anArm("single", "sequential", steps.slice(0, 1));
    const chatty = anArm("chatty", "sequential", steps);
    const parallel = anArm("parallel", "parallel", steps);
    const witness = { id: "witness", plan: { ...single.plan, driver: "autocannon" as const } };
    const { far, alone } = warmUpRules(450);
    const idsOf = (arms: readonly (typeof single)[], how: WarmUpRule) => warmedUp(arms, how).map(({ id }) => id);
    expect(idsOf([single, chatty, parallel, witness], far)).toEqual(["single", "parallel"]);
    expect(idsOf([single, chatty, parallel], alone)).toEqual(["single", "chatty", "parallel"]);
    expect(idsOf([single, chatty], far)).toEqual(["single", "chatty"]);
  });
});
