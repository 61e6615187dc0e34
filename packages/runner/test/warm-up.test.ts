import { describe, expect, it } from "vitest";
import {
  mostTasksInPass,
  tasksInPass,
  togetherRule,
  warmedUp,
  warmUpRules,
  type WarmedArm,
  type WarmUpRule,
} from "../src/measure/warm-up.ts";
import type { Plan } from "../src/study/study.ts";

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
  });
});
