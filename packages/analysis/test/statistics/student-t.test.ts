// Quantiles of Student's t, held against those of another program and closed forms.
import { describe, expect, it } from "vitest";
import { twoSidedT } from "../../src/statistics/student-t.ts";

describe("the two-sided quantile of Student's t", () => {
  // By mpmath 1.3: the t at which 1 − I(ν / (ν + t²); ν / 2, ½) is the confidence.
  it.each([
    [0.95, 1, 12.706_204_736_174_7],
    [0.5, 1, 1],
    [0.2, 2, 0.288_675_134_594_813],
    [0.9, 3, 2.353_363_434_801_82],
    [0.999, 4, 8.610_301_581_379_28],
    [0.95, 6, 2.446_911_851_144_97],
    [0.99, 7, 3.499_483_297_350_49],
    [0.1, 9, 0.129_252_932_151_831],
    [0.999, 30, 3.645_958_635_042_02],
    [0.95, 200, 1.971_896_223_633_91],
  ])("at %d with %d degrees of freedom is %d", (confidence, degrees, expected) => {
    expect(twoSidedT(confidence, degrees) / expected).toBeCloseTo(1, 12);
  });

  it.each([
    [0.95, 0],
    [0.95, 2.5],
    [0.95, Number.NaN],
    [-0.001, 5],
    [1, 5],
    [Number.NaN, 5],
  ])("is refused for confidence %d and %d degrees", (confidence, degrees) => {
    expect(() => twoSidedT(confidence, degrees)).toThrow(
      `no t for confidence ${confidence} with ${degrees} degrees of freedom`,
    );
  });
});
