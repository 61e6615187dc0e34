// What a history takes of a run: some figures, and names of a bounded length.
import { expect, it } from "vitest";
import { requireKeepable } from "../../src/history/history-run.ts";
import { madeCell, madeRun } from "./made-runs.ts";

const cell = madeCell("grpc-js", "latencyMs", 1);

it("a run with one figure is taken, and one without any is not", () => {
  expect(() => requireKeepable(madeRun(0), [cell])).not.toThrow();
  expect(() => requireKeepable(madeRun(0), [])).toThrow("the run has no figures: nothing to keep");
});

it("a name of a thousand letters is taken, and a longer one is not", () => {
  expect(() => requireKeepable(madeRun(0, { branch: "x".repeat(1_000) }), [cell])).not.toThrow();
  expect(() => requireKeepable(madeRun(0, { branch: "x".repeat(1_001) }), [cell])).toThrow(
    "the run has 1,001 letters in a name, and a history takes 1,000 of a run",
  );
});
