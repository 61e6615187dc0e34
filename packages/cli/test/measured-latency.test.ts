// A fake may take as long as what was measured took: its plan names a run, and the run's latencies are what it draws from.
import { idsFromName, type Arm, type RunFacts } from "@roundtrip/runs";
import { builtInContract } from "@roundtrip/contract";
import { readFaultPlan } from "@roundtrip/fakes";
import { blankRows } from "@roundtrip/runs/sample-rows";
import { openRunDirectory } from "@roundtrip/runs/write";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measuredLatency } from "../src/fake/measured-latency.ts";
import { emptyFolder } from "./support/run-program.ts";

const armIds = ["hello/hello/grpc-js/single", "hello/hello/rest-express/single", "hello/never/grpc-js/single"] as const;

function armOf(id: string): Arm {
  const [study = "", task = "", stack = "", variant = ""] = id.split("/");
  return {
    id,
    study,
    task,
    ...idsFromName(stack),
    title: stack,
    stackTitle: stack,
    role: "style",
    variant,
    factors: {},
    callsPerTask: 1,
  };
}

const facts = {
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1_000,
  seed: 1,
  command: "roundtrip bench hello",
  status: "complete",
  environment: {} as RunFacts["environment"],
  warnings: [],
  arms: armIds.map(armOf),
  blocks: [],
  firstCalls: [],
  warmUps: [],
  verification: {} as RunFacts["verification"],
  roundsPlanned: 2,
  roundsDone: 2,
} satisfies RunFacts;

/** A call's arm, how long it took, and how it ended. */
type Call = readonly [armId: string, ms: number, outcome: string];

/** A run of these calls, a round each. */
function runOf(...rounds: readonly (readonly Call[])[]): string {
  const directory = join(emptyFolder(), "run");
  const output = openRunDirectory(directory);
  output.writeFacts(facts);
  for (const [round, calls] of rounds.entries()) {
    const { length } = calls;
    output.samples.write({
      ...blankRows(length),
      armId: calls.map(([armId]) => armId),
      round: new Int32Array(length).fill(round),
      index: Int32Array.from(calls.keys()),
      startedAtNs: BigInt64Array.from(calls, () => 5_000_000n),
      endedAtNs: BigInt64Array.from(calls, ([, ms]) => 5_000_000n + BigInt(ms * 1_000_000)),
      outcome: calls.map(([, , outcome]) => outcome),
    });
  }
  output.samples.close();
  return directory;
}

const [overGrpc, overRest] = armIds;
const directory = runOf(
  [
    [overGrpc, 3, "OK"],
    [overRest, 7, "OK"],
    [overGrpc, 900, "UNAVAILABLE"],
  ],
  [
    [overGrpc, 1.5, "OK"],
    [overRest, 9, "OK"],
  ],
);

describe("latencies of a run", () => {
  it("are those of the answered calls of its arms that are meant, in all rounds", async () => {
    expect(await measuredLatency({ directory, arm: overGrpc })).toEqual({ measured: { valuesMs: [1.5, 3] } });
    expect(await measuredLatency({ directory, arm: "*/rest-express/*" })).toMatchObject({
      measured: { valuesMs: [7, 9] },
    });
    expect(await measuredLatency({ directory, arm: "*" })).toMatchObject({ measured: { valuesMs: [1.5, 3, 7, 9] } });
  });

  it("are named in a plan, in a file beside the run", async () => {
    const file = join(directory, "..", "faults.yaml");
    writeFileSync(file, `latencies: [{ operation: SayHello, run: { directory: run, arm: "*/grpc-js/*" } }]`);
    const { latencies } = await readFaultPlan(file, builtInContract(), measuredLatency);
    expect(latencies).toMatchObject([{ measured: { valuesMs: [1.5, 3] } }]);
  });

  it.each([
    ["hello/hello/grpc-j/single", /has no arm like ".*"; did you mean "hello\/hello\/grpc-js\/single"\?$/],
    ["nonsense", /has no arm like "nonsense" \(there is hello\/hello\/grpc-js\/single, for example\)$/],
    ["hello/never/*", /has no answered call of an arm like "hello\/never\/\*"$/],
  ])("that are missing are refused in one line, with what there is: %s", async (arm, message) => {
    await expect(measuredLatency({ directory, arm })).rejects.toThrow(message);
  });
});
