// How long `bench` says that it will take.
import { loadStudy } from "@roundtrip/bench";
import type { MeasureOptions } from "@roundtrip/runner";
import { expect, test } from "vitest";
import { planText } from "../src/bench/progress.ts";

test.each([
  [1, "1 round in about 50 s"],
  [6, "6 rounds in about 5 min"],
])("of %s of the six rounds of a study, the time is its share of the budget", async (rounds, text) => {
  const study = await loadStudy("linked");
  const options = {
    studies: [study],
    stacks: [],
    settings: {},
    targets: [],
    rounds,
    budgetMs: 300_000,
    directory: "runs",
  };
  expect(planText(options as unknown as MeasureOptions)).toContain(text);
});
