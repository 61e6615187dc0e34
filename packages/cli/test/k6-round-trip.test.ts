// There and back: what `export k6` writes is run by plain k6, in two instances, and `bench --import` has the calls of the plan.
import { findK6, readPlans, type K6Plan } from "@roundtrip/k6";
import { builtInContract } from "@roundtrip/contract";
import { readRun } from "@roundtrip/runner";
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
async function runK6(directory: string, round: number): Promise<readonly string[]> {
  // Both are ready by then, on a machine too that does other things beside.
  const t0Ms = Date.now() + 7_000;
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

/** When each call of a plan is due after the first of them, in microseconds. */
function dueIn({ cells }: K6Plan): readonly string[] {
  const due = cells.flatMap(({ armId, beginsMs, arrivalsMs }) =>
    (arrivalsMs ?? []).map((atMs) => ({ armId, ms: beginsMs + atMs })),
  );
  const first = Math.min(...due.map(({ ms }) => ms));
  return due.map(({ armId, ms }) => `${armId} ${Math.round((ms - first) * 1_000)}`);
}

const at = (list: ArrayLike<number>, row: number): number => list[row] ?? Number.NaN;

describe("an export that plain k6 runs in two instances", withK6, () => {
  it(
    "comes home as the calls of its plan, when they were due, with the times that k6 measured",
    { timeout: 60_000 },
    async () => {
      const cwd = emptyFolder();
      const args = [
        "export",
        "k6",
        "hello",
        "--arrivals",
        "poisson:100",
        "--calls",
        "20",
        "--rounds",
        "2",
        "--seed",
        "7",
      ];
      expect(await run([...args, "--out", "k6", "--quiet"], { cwd })).toEqual({ status: 0, stdout: "", stderr: "" });
      const files = await runK6(join(cwd, "k6"), 2);
      const flags = ["--import", ...files, "--plan", "k6", "--out", "run", "--full"];
      const { status, stdout, stderr } = await run(["bench", "--engine", "k6", ...flags], { cwd });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain(`k6 ${k6?.version}`);

      const { facts, samples } = await readRun(join(cwd, "run"));
      const [, plan] = await readPlans(join(cwd, "k6"));
      const rows = Array.from({ length: samples.length }, (_, row) => row);
      const first = Math.min(...samples.intendedAtNs);
      const due = rows.map((row) => {
        const { id = "" } = facts.arms[at(samples.arm, row)] ?? {};
        return `${id} ${Math.round((at(samples.intendedAtNs, row) - first) / 1_000)}`;
      });
      // While k6 is kept from the processors it drops calls. Their block is then void, and the warning names its arm: one of three may be lost.
      const lost = facts.warnings.find(({ code }) => code === "k6-void")?.message ?? "";
      const isWhole = (call: string): boolean => !lost.includes(call.slice(0, call.lastIndexOf(" ")));
      expect(due.toSorted()).toEqual(
        dueIn(plan as K6Plan)
          .filter(isWhole)
          .toSorted(),
      );
      expect(due.length).toBeGreaterThanOrEqual(2 * 20);
      expect(new Set(rows.map((row) => samples.outcomes[at(samples.outcome, row)]))).toEqual(new Set(["OK"]));

      const taken = rows.map((row) => (at(samples.endedAtNs, row) - at(samples.startedAtNs, row)) / 1e6);
      const durations = files.flatMap(durationsIn).map((ms) => ms.toFixed(3));
      expect(durations).toEqual(expect.arrayContaining(taken.map((ms) => ms.toFixed(3))));
      expect(durations.length === 3 * 20 || lost !== "").toBe(true);
      expect(facts.environment.generators).toEqual(
        ["0:1/2", "1/2:1"].map((segment) => ({ name: "k6", version: k6?.version, segment })),
      );
    },
  );
});
