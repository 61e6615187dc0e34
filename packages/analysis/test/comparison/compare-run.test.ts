// What is said of two arms, for each place that an interval of their ratio may have.
import { describe, expect, it } from "vitest";
import { comparePairs } from "../../src/comparison/compare-run.ts";
import { armFor } from "../synthetic-run.ts";

const [rest, grpc] = ["rest-express", "grpc-js"].map((stack) => armFor({ stack, variant: "facade" })) as [
  ReturnType<typeof armFor>,
  ReturnType<typeof armFor>,
];

/** One block in each round. */
function turns(values: readonly number[]) {
  return values.map((value) => new Map([[0, value]]));
}

/** Compares two arms whose rounds have these log ratios. */
function compared(logRatios: readonly number[]) {
  const turnsOf = new Map([
    [rest.id, turns(logRatios.map(Math.exp))],
    [grpc.id, turns(logRatios.map(() => 1))],
  ]);
  return comparePairs([{ kind: "stack", numerator: rest, denominator: grpc }], turnsOf, 1).comparisons[0];
}

/** Six log ratios whose interval is about `low` to `high`: Student's t with 5 degrees of freedom is 2.571, and ±d scatters by √(6 / 5) · d. */
function sixAround(low: number, high: number): readonly number[] {
  const step = (high - low) / 2 / (2.571 / Math.sqrt(5));
  return [1, -1, 1, -1, 1, -1].map((sign) => (low + high) / 2 + sign * step);
}

describe("the verdict on two arms", () => {
  // 2 % up and down are 0.0198 and −0.0198 as logarithms.
  it.each([
    ["from below −2 % to below 0", -0.05, -0.005, "different"],
    ["from −1.5 % to −0.1 %: a difference, though a small one", -0.015, -0.001, "different"],
    ["from below −2 % to within 2 %", -0.025, 0.005, "inconclusive"],
    ["from below −2 % to above 2 %", -0.03, 0.03, "inconclusive"],
    ["within 2 % on both sides", -0.017, 0.015, "indistinguishable"],
    ["from within 2 % to above 2 %", -0.005, 0.025, "inconclusive"],
    ["from 0.1 % to 1.5 %", 0.001, 0.015, "different"],
    ["from above 0 to above 2 %", 0.005, 0.05, "different"],
  ] as const)("whose interval is %s", (_, low, high, verdict) => {
    const comparison = compared(sixAround(low, high));
    expect(comparison?.verdict).toBe(verdict);
    expect(Math.log(comparison?.low ?? 0)).toBeCloseTo(low, 3);
    expect(Math.log(comparison?.high ?? 0)).toBeCloseTo(high, 3);
  });

  it("is that they are equal when nothing scatters, from six rounds on", () => {
    expect(compared([0, 0, 0, 0, 0, 0])?.verdict).toBe("indistinguishable");
    expect(compared([0, 0, 0, 0, 0])).toMatchObject({ verdict: "inconclusive", basis: "student-t" });
    expect(compared([0.1, 0.1, 0.1, 0.1, 0.1])).toMatchObject({ verdict: "different", basis: "student-t" });
    expect(compared([0.1, 0.1])).toMatchObject({ verdict: "inconclusive", basis: null, low: null, high: null });
  });
});
