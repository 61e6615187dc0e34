// Bytes on the wire as the real k6 reports them: those of a call, however many virtual users opened a connection.
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { reportedBlock } from "../../src/engine/log-round.ts";
import { exportFiles, writeExport } from "../../src/export/export-files.ts";
import { readResults } from "../../src/results/read-results.ts";
import { k6Here, withK6 } from "../support/script-runs.ts";
import { armsFor, greeting, image, planFor } from "../support/runner-arms.ts";

const variables = { "grpc-js": "GRPC_TARGET", "rest-express": "REST_URL" } as const;
const tasks = 24;
const cells = 4;

/** The bytes of a call in each of some cells, whose tasks some virtual users share; null if k6 does not report them. */
async function bytesPerCall(stack: keyof typeof variables, callers: number): Promise<readonly (number | null)[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "k6-bytes-"));
  const task = { ...greeting, callers, tasksPerRound: cells * tasks, tasksPerBlock: tasks };
  // Long enough for every virtual user to be there when the cell begins: each then does a task of its own.
  const leadMs = 600;
  const plan = await planFor(await armsFor([task], [stack]), 1, leadMs);
  await writeExport(join(folder.path, "k6"), exportFiles({ plans: [plan], contract: image.bytes }));
  const service = realService(image.contract);
  const server = await (await loadServe(stack))(service, serveDefaults);
  const results = join(folder.path, "results.json");
  try {
    await promisify(execFile)(
      k6Here?.path ?? "k6",
      ["run", "--quiet", "--no-usage-report", "--address", "127.0.0.1:0", "--out", `json=${results}`, "script.js"],
      {
        cwd: join(folder.path, "k6"),
        env: { ...process.env, T0_STEP_MS: "100", T0_LEAD_MS: "1000", WARM_UP_MS: "1", [variables[stack]]: server.url },
      },
    );
  } finally {
    await server.close();
    await service.close();
  }
  const { rounds } = await readResults([results], [plan]);
  const [round] = rounds;
  if (round === undefined) throw new Error("k6 reported no round");
  return plan.cells.map((_, cell) => {
    const { wireBytes } = reportedBlock(round, cell, null);
    return wireBytes && wireBytes / tasks;
  });
}

describe.concurrent("bytes of a call", withK6, () => {
  it.each(["grpc-js", "rest-express"] as const)("do not depend on the number of virtual users: %s", async (stack) => {
    const [alone, shared] = await Promise.all([bytesPerCall(stack, 1), bytesPerCall(stack, 8)]);
    const [usual = null] = alone;
    expect(usual).toBeGreaterThan(50);
    for (const bytes of [...alone, ...shared]) {
      // k6's HTTP/2 client sends a ping beside some calls, to find out what its connection can hold.
      expect((bytes ?? Number.NaN) / (usual ?? Number.NaN)).toBeGreaterThan(0.8);
      expect((bytes ?? Number.NaN) / (usual ?? Number.NaN)).toBeLessThan(1.25);
    }
  });

  it("are not reported over HTTP/2 if each virtual user opens a connection for its only call, and are if it had called before", async () => {
    const bytes = await bytesPerCall("grpc-js", tasks);
    expect(bytes[0]).toBeNull();
    expect(bytes.at(-1)).toBeGreaterThan(50);
  });
});
