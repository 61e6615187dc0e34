// How long tasks will take, estimated from passes of a warm-up.
import { expect, it } from "vitest";
import { TaskTimes } from "../src/measure/warm-up-passes.ts";

function estimatesOf(passes: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const times = new TaskTimes();
  for (const pass of passes) {
    for (const [armId, ms] of Object.entries(pass)) times.add(armId, ms);
    times.endPass();
  }
  return times.estimates;
}

it.each([
  {
    what: "steady calls take what they took",
    passes: [
      { a: 1, b: 4 },
      { a: 1, b: 4 },
    ],
    estimates: { a: 1, b: 4 },
  },
  {
    what: "cold passes do not count",
    passes: [
      { a: 90, b: 9 },
      { a: 40, b: 9 },
      { a: 1, b: 4 },
      { a: 1, b: 4 },
    ],
    estimates: { a: 1, b: 4 },
  },
  {
    what: "a machine that others use slows all arms alike",
    passes: [
      { a: 1, b: 4 },
      { a: 1, b: 4 },
      { a: 9, b: 6 },
      { a: 3, b: 12 },
    ],
    estimates: { a: 3, b: 12 },
  },
  {
    what: "a single pause says nothing",
    passes: [{ a: 1 }, { a: 1 }, { a: 1 }, { a: 50 }, { a: 1 }, { a: 1 }],
    estimates: { a: 1 },
  },
  { what: "one pass is better than none", passes: [{ a: 5 }], estimates: { a: 5 } },
  { what: "nothing is known without passes", passes: [], estimates: {} },
])("$what", ({ passes, estimates }) => {
  expect(estimatesOf(passes as readonly Readonly<Record<string, number>>[])).toEqual(estimates);
});
