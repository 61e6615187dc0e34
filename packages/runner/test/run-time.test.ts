// When a run ends for lack of time, by a clock that the test sets.
import { describe, expect, it } from "vitest";
import { type RunPlan, RunTime, type RunTimeOptions } from "../src/rounds/plan-run.ts";

const planOf = (changes: Partial<RunPlan>): RunPlan => ({
  lowestPriority: 1,
  share: 1,
  rounds: 6,
  roundMs: 10,
  isInTime: true,
  leftOut: undefined,
  ...changes,
});

interface Run extends Partial<Omit<RunTimeOptions, "elapsedMs">> {
  readonly plan?: Partial<RunPlan>;
  /** The duration of each round. */
  readonly roundsMs: readonly number[];
}

/** Runs rounds while there is time for them. Returns how many were made, and the limit for which others are missing. */
function made({ plan, roundsMs, ...options }: Run): { readonly rounds: number; readonly limitMs: number | undefined } {
  let now = 0;
  const usual = { budgetMs: 100, rounds: 6, typed: new Set<never>(), alwaysEnds: false };
  const time = new RunTime({ ...usual, ...options, elapsedMs: () => now });
  let round = 0;
  for (; time.begins(round); round += 1) {
    if (round === 0 && plan !== undefined) time.plan = planOf(plan);
    now += roundsMs[round] ?? 10;
  }
  return { rounds: round, limitMs: time.limitedToMs };
}

const typed = (...names: readonly ("budget" | "rounds" | "calls")[]): Pick<RunTimeOptions, "typed"> => ({
  typed: new Set(names),
});

/** A run of 200 s with a budget of 100. */
const overdue = (...names: readonly "budget"[]): RunTime =>
  new RunTime({ budgetMs: 100_000, rounds: 6, alwaysEnds: false, elapsedMs: () => 200_000, ...typed(...names) });

it.each([
  { what: "makes all rounds in time", run: { roundsMs: [] }, rounds: 6, limitMs: undefined },
  { what: "makes as many as planned", run: { plan: { rounds: 9 }, roundsMs: [] }, rounds: 9, limitMs: undefined },
  {
    what: "whose rounds get slower ends between rounds",
    run: { roundsMs: [10, 30, 30, 30] },
    rounds: 4,
    limitMs: 100,
  },
  { what: "may end a little late", run: { roundsMs: [17, 17, 17, 17, 17] }, rounds: 6, limitMs: undefined },
  {
    what: "with typed rounds makes them",
    run: { ...typed("rounds"), roundsMs: [90, 90] },
    rounds: 6,
    limitMs: undefined,
  },
  {
    what: "too long for the usual time is made",
    run: { plan: { isInTime: false }, roundsMs: [90, 90] },
    rounds: 6,
    limitMs: undefined,
  },
  {
    what: "ends with a typed budget",
    run: { ...typed("budget", "rounds"), roundsMs: [10, 45, 45] },
    rounds: 3,
    limitMs: 100,
  },
  {
    what: "with fewer rounds than usual misses some",
    run: { ...typed("budget"), plan: { rounds: 2 }, roundsMs: [] },
    rounds: 2,
    limitMs: 100,
  },
])("a planned run $what", ({ run, rounds, limitMs }) => {
  expect(made({ plan: {}, ...run })).toEqual({ rounds, limitMs });
});

describe("a run without a plan", () => {
  it.each([
    { what: "makes all rounds, whatever they take", run: { roundsMs: [90, 90] }, rounds: 6, limitMs: undefined },
    { what: "ends with a typed budget", run: { ...typed("budget"), roundsMs: [40, 40] }, rounds: 2, limitMs: 100 },
    {
      what: "ends with its budget where versions are compared",
      run: { alwaysEnds: true, roundsMs: [40, 40] },
      rounds: 2,
      limitMs: 100,
    },
  ])("$what", ({ run, rounds, limitMs }) => {
    expect(made(run)).toEqual({ rounds, limitMs });
  });

  it("that exceeds a typed budget in its first round is refused, with one that would do", () => {
    expect(() => overdue("budget").requireTime(0, 0.5)).toThrow(
      "the budget of 100 s is too small for one round: give at least --budget 441s, or fewer rounds, calls, studies or stacks",
    );
  });
});
