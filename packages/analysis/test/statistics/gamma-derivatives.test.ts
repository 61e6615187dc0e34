// Digamma and trigamma to the last term of their series.
import { describe, expect, it } from "vitest";
import { digamma, inverseTrigamma, trigamma } from "../../src/statistics/simultaneous-intervals.ts";

// mpmath 1.3: digamma(x), psi(1, x). At 10 there is no recurrence, and the last terms of both series are 8e-13.
describe.each([
  [10, 2.251_752_589_066_72, 0.105_166_335_681_686],
  [12.5, 2.485_195_651_274_91, 0.083_285_224_601_578_4],
  [3, 0.922_784_335_098_467, 0.394_934_066_848_226],
  [0.25, -4.227_453_533_376_27, 17.197_329_154_507_1],
])("at %d", (x, psi, psiPrime) => {
  it("digamma and trigamma are those of another program", () => {
    expect(digamma(x)).toBeCloseTo(psi, 12.5);
    expect(trigamma(x)).toBeCloseTo(psiPrime, 12.5);
  });

  it("trigamma is inverted", () => {
    expect(inverseTrigamma(psiPrime) / x).toBeCloseTo(1, 8);
  });
});
