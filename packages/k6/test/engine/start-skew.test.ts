// How far apart instances began by their own clocks, from the calls that they made.
import { expect, it } from "vitest";
import { startSkew } from "../../src/engine/log-round.ts";
import { CallTable } from "../../src/results/call-table.ts";
import type { CompletedRound } from "../../src/results/read-results.ts";
import { cellOf, planWith, t0Ms } from "../support/plans.ts";

const schedule = [0, 4, 9, 13];
const plan = planWith({ cells: [0, 1, 2].map((index) => cellOf(index, { arrivalsMs: schedule })) });

/** Two instances, of which the second is so late in each cell, as one is that is given no processor. */
function roundWith(lateMs: readonly number[]): CompletedRound {
  const calls = new CallTable(plan);
  const instances = ["0:1/2", "1/2:1"].map((segment) => ({
    file: "",
    t0Ms,
    segment,
    version: undefined,
  }));
  for (const [cell, { beginsMs }] of plan.cells.entries()) {
    for (const [task, startsMs] of schedule.entries()) {
      const instance = task % 2;
      const atMs = beginsMs + startsMs + (instance === 1 ? (lateMs[cell] ?? 0) : 0.1);
      const times = { dueMs: Number.NaN, queueMs: Number.NaN, serviceMs: Number.NaN, opened: false };
      calls.note({ cell, task, step: 0, atMs, durationMs: 1, outcome: "OK", instance, ...times });
    }
  }
  return { plan, t0Ms, instances, calls };
}

it("is what one instance is later than the other, and which", () => {
  const skew = startSkew(roundWith([80.1, 80.1, 80.1]));
  expect(skew?.skewMs).toBeCloseTo(80, 6);
  expect([skew?.first, skew?.last]).toEqual(["0:1/2", "1/2:1"]);
});

it("is not moved by a pause in one cell", () => {
  expect(startSkew(roundWith([0.1, 500, 0.1]))?.skewMs).toBeCloseTo(0, 6);
});
