// Means and ratios of simulated runs: their intervals keep the promise.
import { describe, expect, it } from "vitest";
import { coverageOf, dependent, scenarios } from "./support/estimator-coverage.ts";
import { exactInterval } from "../self/gate/shares.ts";

const runs = 800;

/** Three standard errors of a share near 95 % in so many runs. */
const error = 3 * Math.sqrt((0.95 * 0.05) / runs);

describe.each(scenarios.filter(({ noise }) => noise !== dependent))(
  "$noise noise, $blocks blocks a round",
  (scenario) => {
    const row = coverageOf(scenario, runs, 1);

    it.each(["mean", "ratio"] as const)("has an interval that contains the truth in 93 to 97 of 100 runs: %s", (of) => {
      expect(row[of] / runs).toBeGreaterThan(0.93 - error);
      expect(row[of] / runs).toBeLessThan(0.97 + error);
    });
  },
);

it("rounds that resemble each other break the promise, which no six rounds can show", () => {
  expect(exactInterval(coverageOf({ noise: dependent, blocks: 1 }, runs, 1).ratio, runs).high).toBeLessThan(0.93);
});
