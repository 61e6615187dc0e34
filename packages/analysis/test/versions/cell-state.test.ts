// What an interval says of a loss, for each place that it may have.
import { expect, it } from "vitest";
import { cellState } from "../../src/versions/compare-runs.ts";

const asked = { tolerate: 0.02, detect: 0.05 };

it.each([
  [1.021, 1.2, "worse"],
  [1.021, 1.04, "worse"],
  [1.02, 1.04, "not-worse"],
  [1.02, 1.05, "undecided"],
  [0.9, 1.049, "not-worse"],
  [0.9, 1.05, "undecided"],
  [0.9, 0.981, "not-worse"],
  [0.9, 0.98, "better"],
  [0.5, 2, "undecided"],
  [null, null, "undecided"],
  [null, 0.9, "undecided"],
  [1.1, null, "undecided"],
] as const)("an interval from %d to %d is %s", (low, high, state) => {
  expect(cellState(low, high, asked)).toBe(state);
});
