// Studies of load with a user's tasks: which are chosen, and what becomes of tasks with several variants.
import type { LoadLevels } from "@roundtrip/bench";
import type { Plan, Study, Task } from "@roundtrip/runner";
import { describe, expect, it } from "vitest";
import { chosenLoads, loadsOf } from "../src/bench/own-loads.ts";

const plan: Plan = { order: "sequential", driver: "own", steps: [{ operation: "shop.v1.Shop.GetThing", request: {} }] };
const own = { contract: ["shop.proto"], disposable: false };

function studyOf(tasks: Readonly<Record<string, readonly string[]>>): Study {
  const all = Object.entries(tasks).map(([name, variants]): Task => ({
    name,
    factors: {},
    settings: {},
    links: [],
    variants: Object.fromEntries(variants.map((variant) => [variant, plan])),
    answerKeys: [],
    expected: {},
    setup: [],
    callers: 1,
    tasksPerRound: 60,
    tasksPerBlock: 30,
  }));
  return { name: "shop", title: "Shop", question: "How?", rounds: 6, tasks: all };
}

const notTyped = false;

async function names(
  named: readonly string[],
  flags: Parameters<typeof chosenLoads>[1],
  levels: LoadLevels,
): Promise<readonly string[]> {
  return (await chosenLoads(named, flags, levels, notTyped)).map(({ name }) => name);
}

describe("the studies of load for a user's tasks", () => {
  it("are those of the group that measure any task, with rates where the user gives them", async () => {
    expect(await names(["load"], own, {})).toEqual(["load-calls"]);
    expect(await names(["load", "load-calls"], own, { ratesHz: [50] })).toEqual(["load-calls", "load-rates"]);
    expect(await names(["concurrency"], { tasks: "tasks.yaml", disposable: false }, { callers: [3] })).toEqual([
      "concurrency",
    ]);
  });

  it("measure each variant of a task file by itself, and of an operation the call as it is", async () => {
    const loads = await chosenLoads(["load-calls"], own, {}, notTyped);
    const study = studyOf({ show: ["facade", "chatty"], buy: ["once"] });
    const tasksOf = (hasTaskFile: boolean) =>
      loadsOf(study, loads, {}, hasTaskFile).map(({ name, tasks }) => [
        name,
        [...new Set(tasks.map((task) => `${task.name} ${Object.keys(task.variants).join(" ")}`))],
      ]);
    expect(tasksOf(true)).toEqual([["shop-load-calls", ["show-facade single", "show-chatty single", "buy single"]]]);
    expect(tasksOf(false)).toEqual([["shop-load-calls", ["show single", "buy single"]]]);
  });
});
