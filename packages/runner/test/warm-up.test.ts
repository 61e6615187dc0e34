import { describe, expect, it } from "vitest";
import {
  hasSettled,
  isOver,
  mostTasksInPass,
  shortWarmUp,
  tasksInPass,
  togetherRule,
  warmedUp,
  warmUpRules,
  type WarmedArm,
  type WarmUpRule,
} from "../src/measure/warm-up.ts";
import type { Plan } from "../src/study/study.ts";

const rule: WarmUpRule = {
  callsPerWindow: 100,
  windowMs: 100,
  windows: 3,
  tolerance: 0.05,
  minMs: 0,
  maxMs: 1_000,
  leastWindows: 0,
  leavesOutRepeats: false,
  tasksUnderLoad: 0,
};

interface NamedArm extends WarmedArm {
  readonly id: string;
}

function anArm(id: string, order: Plan["order"], steps: Plan["steps"], load: Partial<WarmedArm> = {}): NamedArm {
  // As from a message: equal, and not the same.
  const plan: Plan = { order, steps: structuredClone(steps), driver: "own" };
  return { id, plan, callers: 1, connections: 1, isUnderLoad: false, ...load };
}

function inTurn(...of: readonly number[]): Plan["steps"] {
  return [{ operation: "a", request: {}, inTurn: of.map((exponent) => ({ exponent })) }];
}

describe("warm-up", () => {
  it("of many servers at once takes longer in proportion, so that each makes as many calls as few do", () => {
    const durations = [1, 4, 8, 26].map((pairs) => togetherRule(450, pairs)).map(({ minMs, maxMs }) => [minMs, maxMs]);
    expect(durations).toEqual([450, 450, 900, 2_925].map((ms) => [ms, ms]));
  });

  it("has not settled before there are two sets of windows to compare", () => {
    expect(hasSettled([10, 10, 10, 10, 10], rule)).toBe(false);
    expect(hasSettled([10, 10, 10, 10, 10], { ...rule, tolerance: 10 })).toBe(false);
    expect(hasSettled([10, 10, 10, 10, 10, 10], rule)).toBe(true);
  });

  it("goes on while calls still get faster", () => {
    expect(hasSettled([30, 25, 20, 15, 12, 10], rule)).toBe(false);
  });

  it("has not settled while calls get slower, nor with a difference above the tolerance, which is a share of the later mean", () => {
    expect(hasSettled([10, 10, 10, 11, 11, 11], rule)).toBe(false);
    const one = { ...rule, windows: 1 };
    expect([10.5, 10.51, 9.5, 9.49].map((early) => hasSettled([early, 10], one))).toEqual([true, false, true, false]);
  });

  it("compares means of as many windows: one that is slow among them counts as a part of them", () => {
    expect(hasSettled([10, 10, 10, 9, 10, 11], rule)).toBe(true);
    expect(hasSettled([10, 10, 13, 10, 10, 10], rule)).toBe(false);
  });

  it("looks at the last windows only, so that a slow start is forgiven once it is over", () => {
    expect(hasSettled([90, 50, 20, 10, 10.2, 9.9, 10, 10.1, 9.8], rule)).toBe(true);
  });

  it("lasts as long as was asked for, and gives each stack at least as long to settle", () => {
    const { together, alone, far } = warmUpRules(5_000);
    expect([together.minMs, together.maxMs, alone.minMs, alone.maxMs]).toEqual([5_000, 5_000, 0, 5_000]);
    expect([far.minMs, far.maxMs]).toEqual([5_000, 5_000]);
    expect([warmUpRules(450).alone.maxMs, warmUpRules(450).far.maxMs]).toEqual([750, 3_000]);
    expect([1, 450, 5_000].map((ms) => warmUpRules(ms, true).alone.maxMs)).toEqual([1, 450, 5_000]);
  });

  it("takes at most 50 times as long alone where a few milliseconds together were asked for, and never less long", () => {
    expect([1, 10, 15, 20].map((ms) => warmUpRules(ms).alone.maxMs)).toEqual([50, 500, 750, 750]);
  });

  it("has these windows and tolerances", () => {
    const near = { leastWindows: 0, leavesOutRepeats: false, tasksUnderLoad: 0 };
    const settling = { callsPerWindow: 75, windowMs: 125, tolerance: 0.05 };
    expect(warmUpRules(450)).toEqual({
      together: { callsPerWindow: 100, windowMs: 75, windows: 4, tolerance: 0, minMs: 450, maxMs: 450, ...near },
      alone: { ...settling, windows: 2, minMs: 0, maxMs: 750, ...near },
      underLoad: {
        callsPerWindow: 2_000,
        windowMs: 200,
        windows: 2,
        tolerance: 0.1,
        minMs: 450,
        maxMs: 1_350,
        leastWindows: 4,
        leavesOutRepeats: false,
        tasksUnderLoad: 16,
      },
      far: { ...settling, windows: 1, minMs: 450, maxMs: 3_000, ...near, leastWindows: 2, leavesOutRepeats: true },
    });
    expect(warmUpRules(450, true).alone.windowMs).toBe(50);
    const { together } = warmUpRules(100);
    const short = { ...together, windows: 2, tolerance: 0.1 };
    expect([shortWarmUp(100, false), shortWarmUp(100, true)]).toEqual([short, { ...short, tasksUnderLoad: 16 }]);
  });

  it("is over from the moments on that the rule names, and no earlier", () => {
    const slow = { ...rule, windows: 1, minMs: 500 };
    expect([499.9, 500].map((elapsedMs) => isOver([10, 10], elapsedMs, slow))).toEqual([false, true]);
    expect([999.9, 1_000].map((elapsedMs) => isOver([20, 10], elapsedMs, slow))).toEqual([false, true]);
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
    const witness = { ...single, id: "witness", plan: { ...single.plan, driver: "autocannon" as const } };
    const { far, alone } = warmUpRules(450);
    const idsOf = (arms: readonly (typeof single)[], how: WarmUpRule) => warmedUp(arms, how).map(({ id }) => id);
    expect(idsOf([single, chatty, parallel, witness], far)).toEqual(["single", "parallel"]);
    expect(idsOf([single, chatty, parallel], alone)).toEqual(["single", "chatty", "parallel"]);
    expect(idsOf([single, chatty], far)).toEqual(["single", "chatty"]);
    const oneAtOnce = anArm("one at once", "parallel", steps.slice(0, 1));
    expect(idsOf([single, oneAtOnce], far)).toEqual(["single", "one at once"]);
  });

  it("warms up an arm under load with its own callers, once per kind of load", () => {
    const steps = [{ operation: "a", request: {} }];
    const arms = [
      anArm("alone", "sequential", steps),
      anArm("three", "sequential", steps, { callers: 3, connections: 3, isUnderLoad: true }),
      anArm("three who think", "sequential", steps, { callers: 3, connections: 3, isUnderLoad: true }),
      anArm("three on one connection", "sequential", steps, { callers: 3, isUnderLoad: true }),
      anArm("some in turn", "sequential", inTurn(1, 2), { callers: 40, isUnderLoad: true }),
      anArm("more in turn", "sequential", inTurn(3, 4), { callers: 60, isUnderLoad: true }),
    ];
    const others = [1, 2].map((size) => {
      const asking = [{ operation: "a", request: { size } }];
      return anArm(`${size}`, "sequential", asking, { isUnderLoad: true });
    });
    expect(warmedUp(others, { leavesOutRepeats: false, tasksUnderLoad: 1 })).toEqual(others);
    const twice = [...others, ...others.slice(0, 1)];
    expect(warmedUp(twice, { leavesOutRepeats: false, tasksUnderLoad: 1 })).toEqual(others);
    const { underLoad, alone } = warmUpRules(450);
    const warmed = warmedUp(arms, underLoad);
    expect(warmed.map(({ id }) => id)).toEqual(["three", "three on one connection", "more in turn"]);
    expect(warmed.map((arm) => tasksInPass(arm, underLoad))).toEqual([16, 16, 60]);
    expect(arms.map((arm) => mostTasksInPass(arm))).toEqual([1, 16, 16, 16, 40, 60]);
    expect(mostTasksInPass({ callers: 2, isUnderLoad: false })).toBe(1);
    expect(arms.map((arm) => tasksInPass(arm, alone))).toEqual([1, 1, 1, 1, 1, 1]);
    expect([underLoad.minMs, underLoad.maxMs]).toEqual([450, 1_350]);
    // However long a pass takes, two windows are compared with two before they are said not to agree.
    expect(
      [3, 4].map((windows) =>
        isOver(
          Array.from({ length: windows }, (_, at) => 2 ** at),
          5_000,
          underLoad,
        ),
      ),
    ).toEqual([false, true]);
  });
});
