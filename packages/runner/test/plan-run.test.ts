// What a run measures in each of its rounds, for the times that its first round has shown before the first block.
import { assert, constantFrom, integer, property, record, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { planRun, type BlockTime, type PlanRequest } from "../src/rounds/plan-run.ts";
import { tasksAtShare } from "../src/rounds/schedule.ts";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { anArm } from "./support/an-arm.ts";

/** One arm of each priority, with 100 tasks of one call in a block. */
const arms = [1, 2, 3, 4].map((priority) => ({
  ...anArm({ stack: "rest", variant: "facade", attributes: priority, tasksPerRound: 100, tasksPerBlock: 100 }),
  priority,
}));

const spent = { startingMs: 1_000, firstCallsMs: 100, verificationMs: 100, warmUpMs: 850, blocksMs: 0, endingMs: 0 };

const blockTime: BlockTime = { besideMs: 8, timesTasks: 1 };

/** An arm takes as many seconds in a round as a task takes tens of milliseconds. */
function planWith(taskMs: number, changes: Partial<PlanRequest> = {}): ReturnType<typeof planRun> {
  const usual = {
    arms,
    spent,
    blockTime,
    budgetMs: 55_200,
    elapsedMs: 2_500,
    rounds: 6,
    typed: new Set<never>(),
  };
  return planRun({ ...usual, taskMs: () => taskMs, ...changes });
}

function refusal(taskMs: number, changes: Partial<PlanRequest>): string {
  try {
    return JSON.stringify(planWith(taskMs, changes));
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : "";
  }
}

const typed = (...names: readonly ("budget" | "rounds" | "calls")[]): Pick<PlanRequest, "typed"> => ({
  typed: new Set(names),
});

const linkOf = (stack: string, rttMs: number | undefined): PlannedArm => {
  const arm = anArm({ stack, variant: "facade", attributes: 1, tasksPerRound: 100, tasksPerBlock: 100 });
  const link = rttMs === undefined ? undefined : ({ rttMs } as PlannedArm["configuration"]["link"]);
  return { ...arm, configuration: { ...arm.configuration, link } };
};

describe("a run without typed sizes", () => {
  it.each([
    { taskMs: 1, lowestPriority: 4, rounds: 6, share: 1, what: "everything, and no more rounds than usual" },
    { taskMs: 20, lowestPriority: 4, rounds: 6, share: [0.8, 0.95], what: "all cells with nearly all calls" },
    {
      taskMs: 22,
      lowestPriority: 3,
      rounds: 6,
      share: 1,
      what: "fewer cells before it makes less than 80 % of the calls",
    },
    { taskMs: 40, lowestPriority: 2, rounds: 6, share: [0.8, 0.95], what: "the curve with the calls that fit" },
    { taskMs: 160, lowestPriority: 2, rounds: 6, share: [0.2, 0.25], what: "the curve with a fifth of the calls" },
    { taskMs: 200, lowestPriority: 1, rounds: 6, share: [0.3, 0.4], what: "only priority 1 if a fifth is too many" },
    {
      taskMs: 4_000,
      lowestPriority: 1,
      rounds: 6,
      share: 0.1,
      what: "all six rounds of priority 1, whatever they take",
    },
  ])("measures $what ($taskMs ms a task)", ({ taskMs, lowestPriority, rounds, share }) => {
    const plan = planWith(taskMs);
    expect(plan).toMatchObject({ lowestPriority, rounds });
    const [low, high] = typeof share === "number" ? [share, share] : [share[0] ?? 0, share[1] ?? 0];
    expect(plan.share).toBeGreaterThanOrEqual(low);
    expect(plan.share).toBeLessThanOrEqual(high);
  });

  it("makes more rounds in the remaining time if cells are left out, at most twice as many", () => {
    const endless = arms.map((arm) => (arm.priority > 2 ? { ...arm, tasksPerRound: 1_000_000 } : arm));
    const plans = [1, 10, 20, 30].map((taskMs) => planWith(taskMs, { arms: endless }));
    expect(plans.map(({ rounds, share, lowestPriority }) => ({ rounds, share, lowestPriority }))).toEqual([
      { rounds: 12, share: 1, lowestPriority: 2 },
      { rounds: 12, share: 1, lowestPriority: 2 },
      { rounds: 9, share: 1, lowestPriority: 2 },
      { rounds: 6, share: 1, lowestPriority: 2 },
    ]);
  });

  it("reports the cells, the share of calls and a budget for everything", () => {
    expect(planWith(1).leftOut).toBeUndefined();
    const { leftOut } = planWith(22);
    expect(leftOut).toMatchObject({ armIds: [arms[3]?.id], shareOfCalls: 1, withinMs: 55_200 });
    expect(leftOut?.cells).toMatchObject([{ factors: { attributes: 4 }, priority: 4 }]);
    const whole = planWith(22, { budgetMs: leftOut?.budgetMs ?? 0 });
    expect(whole.leftOut).toBeUndefined();
  });
});

describe("typed rounds and calls", () => {
  it.each([
    { names: ["rounds"], rounds: 3, taskMs: 1, share: 1, lowestPriority: 4 },
    { names: ["rounds"], rounds: 50, taskMs: 1_000, share: 0.1, lowestPriority: 1 },
    { names: ["calls"], rounds: 6, taskMs: 1_000, share: 1, lowestPriority: 1 },
    { names: ["rounds", "calls"], rounds: 3, taskMs: 1_000, share: 1, lowestPriority: 1 },
    { names: ["rounds", "calls"], rounds: 3, taskMs: 10, share: 1, lowestPriority: 4 },
  ] as const)("are made, whatever they take: $names, $rounds rounds, $taskMs ms a task", (row) => {
    const { names, rounds, taskMs, share, lowestPriority } = row;
    expect(planWith(taskMs, { ...typed(...names), rounds })).toMatchObject({ rounds, share, lowestPriority });
  });

  it.each([
    {
      names: ["budget", "rounds"],
      message:
        "the budget of 10 s is too small for 20 rounds: give at least --budget \\d+s, or fewer rounds, calls, studies or stacks",
    },
    {
      names: ["budget", "calls"],
      message:
        "the budget of 10 s is too small for one round with these --calls: give at least --budget \\d+s, or fewer rounds, calls, studies or stacks",
    },
    {
      names: ["budget", "rounds", "calls"],
      message:
        "the budget of 10 s is too small for 20 rounds with these --calls: give at least --budget \\d+s, or fewer rounds, calls, studies or stacks",
    },
  ] as const)("are refused with a typed budget that they contradict: $names", ({ names, message }) => {
    const request = { ...typed(...names), rounds: 20, budgetMs: 10_000 };
    const text = refusal(100, request);
    expect(text).toMatch(new RegExp(`^${message}$`));
    const budgetMs = 1_000 * Number(/--budget (\d+)s/.exec(text)?.[1]);
    expect(planWith(100, { ...request, budgetMs }).isInTime).toBe(true);
  });
});

it.each([
  { budgetMs: 57_000, rounds: 6 },
  { budgetMs: 14_000, rounds: 6 },
  { budgetMs: 9_000, rounds: 3 },
  { budgetMs: 5_000, rounds: 1 },
])("a typed budget of $budgetMs ms gives $rounds rounds", ({ budgetMs, rounds }) => {
  expect(planWith(30, { ...typed("budget"), budgetMs })).toMatchObject({ rounds, isInTime: true });
});

it("pairs that wait side by side take as long as the slowest of them, and pairs that compute as long as all together", () => {
  const [near = 0, far = 0] = [undefined, 100].map(
    (rttMs) => planWith(5, { arms: ["rest", "grpc", "graphql"].map((stack) => linkOf(stack, rttMs)) }).roundMs,
  );
  expect(near - far).toBeCloseTo(2 * (100 * 5 + 8), 6);
});

it("a plan that is in time ends within the budget, and never has fewer cells or calls with more time", () => {
  const request = record({
    budgetMs: integer({ min: 1_000, max: 300_000 }),
    taskMs: integer({ min: 1, max: 500 }),
    rounds: constantFrom(1, 3, 6, 20),
    typed: subarray(["rounds", "calls"] as const),
  });
  assert(
    property(request, ({ taskMs, typed: names, ...size }) => {
      const changes = { ...size, typed: new Set(names) };
      const plan = planWith(taskMs, changes);
      const longer = planWith(taskMs, { ...changes, budgetMs: 1.5 * size.budgetMs });
      const durationMs = 2_500 + (plan.rounds - 1) * plan.roundMs;
      expect(!plan.isInTime || durationMs <= size.budgetMs).toBe(true);
      const firstCalls = ({ share }: typeof plan): number =>
        arms.slice(0, 1).reduce((sum, arm) => sum + tasksAtShare(arm, share), 0);
      const cells = longer.lowestPriority - plan.lowestPriority;
      expect(cells).toBeGreaterThanOrEqual(0);
      expect(cells > 0 || firstCalls(longer) >= firstCalls(plan)).toBe(true);
      expect(names.includes("rounds") ? plan.rounds : size.rounds).toBe(size.rounds);
      expect(names.includes("calls") ? plan.share : 1).toBe(1);
    }),
  );
});
