// A fake may take as long as what was measured took: its plan names a run, and the run's latencies are what it draws from.
import { builtInContract } from "@roundtrip/contract";
import { readFaultPlan } from "@roundtrip/fakes";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { measuredLatency } from "../src/fake/measured-latency.ts";
import { emptyFolder } from "./support/run-program.ts";

const directory = fileURLToPath(new URL("fixtures/measured-run", import.meta.url));

async function valuesOf(arm: string): Promise<readonly number[]> {
  const { measured } = await measuredLatency({ directory, arm });
  return measured?.valuesMs ?? [];
}

describe("latencies of a run", () => {
  it("are those of the answered calls of its arms that are meant, in ascending order", async () => {
    const [one, all] = [await valuesOf("hello/hello/grpc-js/single"), await valuesOf("*")];
    expect(one.length).toBeGreaterThan(10);
    expect(all.length).toBeGreaterThan(one.length);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(all[0]).toBeLessThanOrEqual(one[0] ?? 0);
  });

  it("are named in a plan, in a file beside the run", async () => {
    const folder = emptyFolder();
    symlinkSync(directory, join(folder, "run"));
    const file = join(folder, "faults.yaml");
    writeFileSync(file, `latencies: [{ operation: SayHello, run: { directory: run, arm: "*/hello/grpc-js/*" } }]`);
    const { latencies } = await readFaultPlan(file, builtInContract(), measuredLatency);
    expect(latencies).toMatchObject([{ measured: { valuesMs: await valuesOf("*/hello/grpc-js/*") } }]);
  });

  it.each([
    ["hello/hello/grpc-j/single", /has no arm like ".*"; did you mean "hello\/hello\/grpc-js\/single"\?$/],
    ["nonsense", /has no arm like "nonsense" \(there is hello\/hello\/floor\/single, for example\)$/],
  ])("that are missing are refused in one line, with what there is: %s", async (arm, message) => {
    await expect(measuredLatency({ directory, arm })).rejects.toThrow(message);
  });
});
