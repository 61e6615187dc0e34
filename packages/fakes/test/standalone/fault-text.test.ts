// A plan that is written as text reads as the same plan, and keeps the text that it was read from.
import { builtInContract } from "@roundtrip/contract";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noFaults, parseFaultPlan, readFaultPlan, type FaultPlan } from "../../src/index.ts";
import { faultPresets } from "../../src/faults/fault-presets.ts";
import { faultText } from "../../src/standalone/control/fault-routes.ts";

const every: FaultPlan = {
  faults: [
    {
      operation: "*",
      probability: 0.5,
      error: { code: "ABORTED", message: "no", details: { reason: "R" } },
    },
    { operation: "*", probability: 1, drop: true },
    { operation: "*", probability: 1, truncate: true },
    { operation: "*", probability: 1, "slow-stream": { exponential: { meanMs: 3 } } },
  ],
  latencies: [
    { operation: "*", ms: 5 },
    { operation: "*", uniform: { fromMs: 1, toMs: 2 } },
    { operation: "*", lognormal: { medianMs: 1, p99Ms: 2 } },
    { operation: "*", measured: { valuesMs: [1, 2] } },
  ],
};

test.each(Object.entries({ every, noFaults, ...faultPresets }))("%s", async (_name, plan) => {
  expect(await parseFaultPlan(faultText(plan), "plan", builtInContract())).toEqual(plan);
});

const contract = builtInContract();
const typed = "# Nobody gets through.\npresets: [down]\n";

test("shows a plan as it was typed, with comments and presets", async () => {
  expect(faultText(await parseFaultPlan(typed, "plan", contract))).toBe(typed);
  expect(faultText(await readFaultPlan("down", contract))).toBe("presets: [down]\n");
});

test("shows the files of a folder as one text, which reads as the same plan", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roundtrip-faults-"));
  await writeFile(join(folder, "a.yaml"), "# Without an end of line\npresets: [flaky]");
  await writeFile(join(folder, "b.yaml"), typed);
  const plan = await readFaultPlan(folder, contract);
  const text = faultText(plan);
  expect(text).toContain("# Nobody gets through.");
  expect(await parseFaultPlan(text, "plan", contract)).toEqual(plan);
});

test("shows the delays of a plan instead of the run that they were read from", async () => {
  const plan = await parseFaultPlan(
    "latencies: [{ operation: SayHello, run: { directory: somewhere, arm: hello } }]",
    "plan",
    contract,
    () => Promise.resolve({ measured: { valuesMs: [1, 2] } }),
  );
  expect(await parseFaultPlan(faultText(plan), "plan", contract)).toEqual(plan);
});
