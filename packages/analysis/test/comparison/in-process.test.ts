// Calls over loopback against the same calls in process.
import { expect, test } from "vitest";
import { analyse } from "../../src/index.ts";
import { armFor, syntheticRun } from "../synthetic-run.ts";

const arms = [
  armFor({ stack: "rest", variant: "facade" }),
  armFor({ stack: "floor", variant: "facade" }),
  armFor({ stack: "in-process", variant: "facade", role: "in-process" }),
];
const msOf: Readonly<Record<string, number>> = { rest: 0.5, floor: 0.1, "in-process": 0.005 };
const { facts, samples } = syntheticRun(
  arms,
  { rounds: 6, blocksPerRound: 2, tasksPerBlock: 4 },
  ({ stack }, round) => (msOf[stack] ?? 0) * (1 + round / 1_000),
);
const { comparisons, claims } = analyse(facts, samples);

test("styles are compared with them, and the floor is not", () => {
  const rows = comparisons.filter(({ kind }) => kind === "in-process");
  expect(rows.map(({ numeratorId }) => numeratorId)).toEqual([arms[0]?.id]);
  expect(rows[0]?.ratio).toBeCloseTo(100, 6);
  expect(comparisons.filter(({ kind }) => kind === "floor").map(({ numeratorId }) => numeratorId)).toEqual([
    arms[0]?.id,
  ]);
  // They are no style.
  expect(comparisons.filter(({ kind }) => kind === "stack")).toEqual([]);
});

test("one claim for each style says how many times as long a call takes", () => {
  expect(claims.filter(({ kind }) => kind === "in-process")).toMatchObject([
    { armIds: [arms[0]?.id, arms[2]?.id], strength: "clear" },
  ]);
});
