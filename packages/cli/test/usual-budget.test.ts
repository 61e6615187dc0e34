// How long the default bench measures, so that its report is there within a minute.
import { expect, it } from "vitest";
import { usualBudget } from "../src/bench/chosen-studies.ts";

it("measures for less where the program starts slowly, since its report takes longer there too", () => {
  expect(usualBudget(200)).toBe(57_000);
  expect(usualBudget(1_000)).toBe(56_500);
  expect(usualBudget(2_000)).toBe(53_500);
});

it("measures for 40 s at least", () => {
  expect(usualBudget(10_000)).toBe(40_000);
});
