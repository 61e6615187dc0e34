// A plan that is written as text is the plan that is read from it.
import { builtInContract } from "@roundtrip/contract";
import { expect, test } from "vitest";
import { noFaults, parseFaultPlan, type FaultPlan } from "../../src/index.ts";
import { faultPresets } from "../../src/faults/fault-presets.ts";
import { faultText } from "../../src/standalone/control/fault-text.ts";

const every: FaultPlan = {
  faults: [
    {
      operation: "*",
      probability: 0.5,
      fault: { kind: "error", code: "ABORTED", message: "no", details: { reason: "R" } },
    },
    { operation: "*", probability: 1, fault: { kind: "drop" } },
    { operation: "*", probability: 1, fault: { kind: "truncate" } },
    { operation: "*", probability: 1, fault: { kind: "slow-stream", between: { kind: "exponential", meanMs: 3 } } },
  ],
  latencies: [
    { operation: "*", delay: { kind: "constant", ms: 5 } },
    { operation: "*", delay: { kind: "uniform", fromMs: 1, toMs: 2 } },
    { operation: "*", delay: { kind: "lognormal", medianMs: 1, p99Ms: 2 } },
    { operation: "*", delay: { kind: "measured", valuesMs: [1, 2] } },
  ],
};

test.each(Object.entries({ every, noFaults, ...faultPresets }))("%s", async (_name, plan) => {
  expect(await parseFaultPlan(faultText(plan), "plan", builtInContract())).toEqual(plan);
});
