// There and back: what `export k6` writes is run by plain k6, in two instances, and `bench --import` has the calls of the plan.
import { findK6, readPlans, type K6Plan } from "@roundtrip/k6";
import { builtInContract } from "@roundtrip/contract";
import { readRun } from "@roundtrip/runs/read";
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const withK6 = await needing("k6");
const k6 = withK6.skip === true ? undefined : await findK6();

const service = realService(builtInContract());
const servers: RunningServer[] = [];
const addresses: Record<string, string> = {};
const variables = { "grpc-js": "GRPC_TARGET", "graphql-apollo": "GRAPHQL_URL", "rest-express": "REST_URL" };

beforeAll(async () => {
  for (const [stack, variable] of Object.entries(variables)) {
    // oxlint-disable-next-line no-await-in-loop
    const server = await (await loadServe(stack))(service, serveDefaults);
    servers.push(server);
    addresses[variable] = server.url;
  }
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await service.close();
});

/** What each of two instances does of a round, as the export's README says it: from one moment on. */
async function runK6(directory: string, round: number, leadMs: number): Promise<readonly string[]> {
  const t0Ms = Date.now() + leadMs;
  const { PATH = "" } = process.env;
  return Promise.all(
    ["0:1/2", "1/2:1"].map(async (segment, index) => {
      const results = `results-${round}-${index + 1}.json`;
      const parts = ["--execution-segment", segment, "--execution-segment-sequence", "0,1/2,1"];
      const usual = ["--quiet", "--no-usage-report", "--address", "127.0.0.1:0", "--out", `json=${results}`];
      await promisify(execFile)(
        k6?.path ?? "k6",
        ["run", "-e", `ROUND=${round}`, "-e", `T0=${t0Ms}`, ...parts, ...usual, "script.js"],
        {
          cwd: directory,
          env: { PATH, HOME: directory, K6_VERSION: k6?.version, WARM_UP_MS: "100", ...addresses },
          timeout: 40_000,
        },
      );
      return join(directory, results);
    }),
  );
}

/** Milliseconds that k6 itself wrote of its calls. */
function durationsIn(file: string): readonly number[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith('{"metric":"roundtrip_call","type":"Point"'))
    .map((line) => (JSON.parse(line) as { data: { value: number } }).data.value);
}

/** When each call of a cell is due after the first of them, in microseconds. */
function dueIn({ arrivalsMs }: K6Plan["cells"][number]): readonly number[] {
  const [first = 0] = arrivalsMs ?? [];
  return (arrivalsMs ?? []).map((ms) => Math.round((ms - first) * 1_000));
}

const at = (list: ArrayLike<number>, row: number): number => list[row] ?? Number.NaN;

describe("an export that plain k6 runs in two instances", withK6, () => {
  it("comes home as the calls of its plan, when they were due, with the times that k6 measured", async () => {
    const cwd = emptyFolder();
    const args = "export k6 hello --arrivals poisson:100 --calls 20 --rounds 2 --seed 7".split(" ");
    expect(await run([...args, "--out", "k6"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    // All instances are ready by then, on a busy machine too, and the second round begins after the first.
    const files = (await Promise.all([runK6(join(cwd, "k6"), 1, 7_000), runK6(join(cwd, "k6"), 2, 13_000)])).flat();
    const flags = ["--import", ...files, "k6", "--out", "run"];
    const { status, stderr } = await run(["bench", ...flags], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { stdout } = await run(["report", "run", "--format", "terminal"], { cwd });
    expect(stdout).toContain(`k6 ${k6?.version}`);

    const { facts, samples } = await readRun(join(cwd, "run"));
    const rows = Array.from({ length: samples.length }, (_, row) => row);
    const blocks = Map.groupBy(rows, (row) => `${at(samples.round, row)} ${facts.arms[at(samples.arm, row)]?.id}`);
    const planned = (await readPlans(join(cwd, "k6"))).flatMap(({ round, cells }) =>
      cells.map((cell) => ({ key: `${round} ${cell.armId}`, due: dueIn(cell) })),
    );
    const due = planned
      .filter(({ key }) => blocks.has(key))
      .map(({ key }) => {
        const moments = (blocks.get(key) ?? []).map((row) => at(samples.intendedAtNs, row)).toSorted((a, b) => a - b);
        return { key, due: moments.map((ns) => Math.round((ns - at(moments, 0)) / 1_000)) };
      });
    expect(due).toEqual(planned.filter(({ key }) => blocks.has(key)));
    // A block is void if k6 drops calls of it, which it does where it is kept from the processors: half of them may be lost, and are reported.
    const lost = facts.warnings.filter(({ code }) => code === "k6-void");
    const reported = lost.reduce(
      (sum, { message }) => sum + Number(/(\d+) blocks are void/.exec(message)?.[1] ?? 1),
      0,
    );
    expect(due.length + reported).toBe(planned.length);
    expect(due.length).toBeGreaterThanOrEqual(3);
    expect(new Set(rows.map((row) => samples.outcomes[at(samples.outcome, row)]))).toEqual(new Set(["OK"]));

    const durations = files.flatMap(durationsIn);
    const unknown = rows
      .map((row) => (at(samples.endedAtNs, row) - at(samples.startedAtNs, row)) / 1e6)
      // A run keeps whole nanoseconds, and a difference of two may be one off.
      .filter((taken) => !durations.some((ms) => Math.abs(ms - taken) < 1e-5));
    expect(unknown).toEqual([]);
    expect(durations.length === 6 * 20 || lost.length > 0).toBe(true);
    expect(facts.environment.generators).toEqual(
      ["0:1/2", "1/2:1"].map((segment) => ({ name: "k6", version: k6?.version, segment })),
    );
  });
});
