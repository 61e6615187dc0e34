// The queue that takes given arrivals: what follows from its definition, and the mean of the long run.
import { expect, it } from "vitest";
import { meanWaitMs } from "../../src/load/load-series.ts";
import { randomFrom } from "../../src/statistics/random.ts";

it("lets who comes alone wait for nobody, and each of those who come at once for all before", () => {
  expect(meanWaitMs([0, 100, 200], 50)).toBe(0);
  expect(meanWaitMs([7, 7, 7, 7], 10)).toBe((0 + 10 + 20 + 30) / 4);
  expect(meanWaitMs([], 10)).toBeNaN();
});

it("comes to what Pollaczek and Khinchine say of constant service when arrivals are many and at random", () => {
  const random = randomFrom(7, "arrivals");
  let at = 0;
  const arrivals = Float64Array.from({ length: 400_000 }, () => (at -= Math.log(1 - random()) * 10));
  const waitingMs = (0.7 * 7) / (2 * (1 - 0.7));
  expect(meanWaitMs(arrivals, 7) / waitingMs).toBeCloseTo(1, 1);
});
