import { expect, test } from "vitest";
import type { LeftOutCells, LeftOutCell } from "@roundtrip/runs";
import { leftOutWarning } from "../src/warnings/round-warnings.ts";
import { armFor, factsOf } from "./synthetic-run.ts";

const arms = ["grpc", "rest"].flatMap((stack) =>
  [1, 6].map((attributes) => armFor({ stack, variant: "facade", factors: { attributes } })),
);
const facts = factsOf(arms, 6);

function cell(task: string, attributes: number): LeftOutCell {
  return { study: "facade", task, variant: "facade", factors: { attributes }, priority: 2 };
}

const leftOut: LeftOutCells = {
  cells: [cell("read", 2), cell("read", 3), cell("write", 1)],
  armIds: [],
  shareOfCalls: 1,
  withinMs: 57_000,
  budgetMs: 85_000,
};

test("is empty for a run that measured everything", () => {
  expect(leftOutWarning(facts)).toEqual([]);
});

test("counts what was left out by task, against what has results, and names the budget for everything", () => {
  expect(leftOutWarning({ ...facts, leftOut })).toEqual([
    {
      code: "no-time",
      message:
        "there was no time for 3 variants of tasks in 57 s (--budget 85s measures everything): left out on all stacks: 2 of 4 of read and all 1 of write",
    },
  ]);
});

test("says how few calls were made, and that the run took longer all the same", () => {
  const short = { ...leftOut, cells: [], shareOfCalls: 0.42 };
  expect(leftOutWarning({ ...facts, durationMs: 80_000, leftOut: short })[0]?.message).toBe(
    "there was no time for all calls in 57 s (--budget 85s measures everything): every round made 42 % of the calls; the run still took 80 s",
  );
});
