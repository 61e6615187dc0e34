// The script on the real k6, against real servers of all three styles: what it calls, when, what it tells, and what it does not put up with.
import { serveDefaults, loadServe, type RunningServer } from "@roundtrip/stacks";
import { realService } from "@roundtrip/service";
import { closedLoop } from "@roundtrip/runner";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportFiles } from "../../src/export/export-files.ts";
import { writeExport } from "../../src/export/write-export.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { sealed } from "../../src/plan/plan-file.ts";
import { k6Here } from "../support/k6-here.ts";
import {
  armsFor,
  computing,
  greeting,
  image,
  missing,
  planFor,
  poissonAt,
  reading,
  styles,
  under,
} from "../support/runner-arms.ts";

interface Told {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Ran {
  readonly status: number;
  readonly stderr: string;
  readonly told: readonly Told[];
}

const room = mkdtempSync(join(tmpdir(), "k6-script-"));
const servers: RunningServer[] = [];
const variables: Record<string, string> = {};
const service = realService(image.contract);
const variableOf = { "grpc-js": "GRPC_TARGET", "graphql-apollo": "GRAPHQL_URL", "rest-express": "REST_URL" } as const;

beforeAll(async () => {
  for (const stack of styles) {
    // oxlint-disable-next-line no-await-in-loop
    const server = await (await loadServe(stack))(service, serveDefaults);
    servers.push(server);
    variables[variableOf[stack]] = server.url;
  }
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await service.close();
  rmSync(room, { recursive: true });
});

let exported = 0;
async function written(...plans: readonly K6Plan[]): Promise<string> {
  exported += 1;
  const directory = join(room, `export-${exported}`);
  await writeExport(directory, exportFiles({ plans, contract: image.bytes, protoFiles: [] }));
  return directory;
}

function toldIn(file: string): readonly Told[] {
  // What fails before it begins writes none.
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"Point"') && line.startsWith('{"metric":"roundtrip_'))
    .map((line) => {
      const { metric, data } = JSON.parse(line) as { metric: string; data: Omit<Told, "metric"> };
      return { metric, ...data };
    });
}

/** Runs k6 in an exported directory. T0 is a full tenth of a second. */
async function k6(
  directory: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const results = join(directory, `results-${args.join("-").replaceAll(/[^\d]+/g, "_")}.json`);
  const flags = ["run", "--quiet", "--no-color", "--no-usage-report", "--address", "127.0.0.1:0"];
  const usual = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    T0_STEP_MS: "100",
    T0_LEAD_MS: "700",
    WARM_UP_MS: "1",
    ...variables,
  };
  return new Promise((resolve) => {
    execFile(
      k6Here?.path ?? "k6",
      [...flags, "--out", `json=${results}`, ...args, "script.js"],
      { cwd: directory, env: { ...usual, ...env }, timeout: 60_000 },
      (error, _stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        resolve({ status, stderr, told: toldIn(results) });
      },
    );
  });
}

const callsIn = (told: readonly Told[]): readonly Told[] => told.filter(({ metric }) => metric === "roundtrip_call");
const named = ({ tags, metadata }: Told): string => `${tags["scenario"]} ${metadata["task"]} ${metadata["step"]}`;

/** Every call of a plan, once. */
function planned({ arms, cells }: K6Plan): readonly string[] {
  const stepsOf = new Map(arms.map(({ facts, steps }) => [facts.id, steps.length]));
  return cells.flatMap(({ name, armId, tasks }) =>
    Array.from({ length: tasks }, (_, task) => task).flatMap((task) =>
      Array.from({ length: stepsOf.get(armId) ?? 0 }, (_, step) => `${name} ${task} ${step}`),
    ),
  );
}

describe.skipIf(k6Here === undefined).concurrent("the script", { timeout: 60_000, retry: 2 }, () => {
  it.each([
    ["façade, chatty, at once and together", [reading]],
    ["asked in turn", [greeting, computing]],
  ])("makes every call once, over all three styles, and all are answered: %s", async (_, tasks) => {
    const plan = await planFor(await armsFor(tasks));
    const directory = await written(plan);
    const { status, stderr, told } = await k6(directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const calls = callsIn(told);
    expect(calls.map(named).toSorted()).toEqual(planned(plan).toSorted());
    expect(new Set(calls.map(({ tags }) => tags["outcome"]))).toEqual(new Set(["OK"]));
    const cells = new Map(plan.cells.map((cell) => [cell.name, cell]));
    for (const { value, tags, metadata } of calls) {
      const { beginsMs = Number.NaN, armId = "" } = cells.get(tags["scenario"] ?? "") ?? {};
      expect(Number(metadata["at"])).toBeGreaterThanOrEqual(beginsMs);
      expect(value).toBeGreaterThan(0);
      const tells = armId.includes("/compute/");
      expect([metadata["queue"] !== undefined, metadata["service"] !== undefined]).toEqual([tells, tells]);
    }
  });

  it("tells what it is of: plan, contract, seed, round, studies, segment, and k6's version where it is told that", async () => {
    const plan = await planFor(await armsFor([greeting], ["rest-express"]));
    const { told } = await k6(await written(plan), [], { K6_VERSION: "v1.2.3" });
    const [instance, ...others] = told.filter(({ metric }) => metric === "roundtrip_instance");
    expect(others).toEqual([]);
    expect(instance?.tags).toEqual({
      plan: plan.planHash,
      contract: image.hash,
      seed: "1",
      round: "0",
      studies: "small",
      segment: "0:1",
      version: "v1.2.3",
    });
    expect((instance?.value ?? Number.NaN) % 100).toBe(0);
  });

  it("does the round that is asked for, the first without a word, and none that there is not", async () => {
    const { planHash: _, ...first } = await planFor(await armsFor([greeting], ["rest-express"]));
    const second = sealed({ ...first, round: 1, cells: first.cells.map((cell) => ({ ...cell, tasks: 2 })) });
    const directory = await written(sealed(first), second);
    const { told } = await k6(directory, ["-e", "ROUND=2"]);
    expect(told.find(({ metric }) => metric === "roundtrip_instance")?.tags).toMatchObject({
      plan: second.planHash,
      round: "1",
    });
    expect(callsIn(told).map(named).toSorted()).toEqual(planned(second).toSorted());
    const none = await k6(directory, ["-e", "ROUND=3"]);
    expect(none.status).not.toBe(0);
    expect(none.stderr).toContain("there is no round 3: plan.json has 1, 2");
  });

  it("does a task on one of two instances only, all tasks on both together, from the same T0 on", async () => {
    const tasks = [under(poissonAt(400), greeting, 60), greeting];
    const plan = await planFor(await armsFor(tasks, ["rest-express", "grpc-js"]));
    const directory = await written(plan);
    const sequence = ["--execution-segment-sequence", "0,1/2,1"];
    const t0 = String(Date.now() + 4_000);
    const halves = await Promise.all(
      ["0:1/2", "1/2:1"].map((segment) => k6(directory, ["--execution-segment", segment, ...sequence], { T0: t0 })),
    );
    expect(halves.map(({ status }) => status)).toEqual([0, 0]);
    expect(halves.flatMap(({ told }) => callsIn(told).map(named)).toSorted()).toEqual(planned(plan).toSorted());
    const open = plan.cells.filter(({ arrivalsMs }) => arrivalsMs !== null).map(({ name }) => name);
    for (const { told } of halves) {
      expect(told.find(({ metric }) => metric === "roundtrip_instance")?.value).toBe(Number(t0));
      expect(callsIn(told).some(({ tags }) => open.includes(tags["scenario"] ?? ""))).toBe(true);
    }
  });

  it("begins no task of a schedule before its moment", async () => {
    const plan = await planFor(await armsFor([under(poissonAt(300), greeting, 40)], ["rest-express"]));
    const { told } = await k6(await written(plan));
    const [cell] = plan.cells;
    for (const { metadata } of callsIn(told)) {
      const due = (cell?.beginsMs ?? Number.NaN) + (cell?.arrivalsMs?.[Number(metadata["task"])] ?? Number.NaN);
      // The last digits of both are the clock's rounding.
      expect(Number(metadata["at"])).toBeGreaterThanOrEqual(due - 0.01);
    }
  });

  it("has callers think before each task, and tells when each was to begin", async () => {
    const load = { pacer: closedLoop({ thinkMs: 20, thinkTime: "constant" }) };
    const plan = await planFor(await armsFor([under(load, greeting, 8, 2)], ["rest-express"]));
    const { told } = await k6(await written(plan));
    const calls = callsIn(told);
    expect(calls).toHaveLength(8);
    const begins = plan.cells[0]?.beginsMs ?? Number.NaN;
    for (const { metadata } of calls) {
      expect(Number(metadata["at"])).toBeGreaterThanOrEqual(Number(metadata["due"]) - 0.01);
      expect(Number(metadata["due"])).toBeGreaterThanOrEqual(begins + 10);
    }
  });

  it("tells a failed call by its canonical code over each style, also one that GraphQL answers with status 200", async () => {
    const plan = await planFor(await armsFor([missing]));
    const { told } = await k6(await written(plan), [], { PREPARED: "1" });
    expect(callsIn(told).map(({ tags }) => tags["outcome"])).toEqual(Array.from({ length: 6 }, () => "NOT_FOUND"));
  });

  it("tells calls that nobody answers", async () => {
    const plan = await planFor(await armsFor([greeting]));
    const nobody = "127.0.0.1:9";
    const away = {
      PREPARED: "1",
      GRPC_TARGET: nobody,
      REST_URL: `http://${nobody}`,
      GRAPHQL_URL: `http://${nobody}/graphql`,
    };
    const { told } = await k6(await written(plan), [], away);
    const outcomes = callsIn(told).map(({ tags }) => tags["outcome"]);
    expect(new Set(outcomes)).toEqual(new Set(["UNAVAILABLE"]));
  });

  it("ends before anything is measured where a server is not the right one, and says which", async () => {
    const plan = await planFor(await armsFor([greeting], ["graphql-apollo"]));
    const rest = variables["REST_URL"] ?? "";
    const { status, stderr, told } = await k6(await written(plan), [], { GRAPHQL_URL: rest });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`a call to ${rest} ended with `);
    expect(stderr).toContain("-e GRAPHQL_URL=ADDRESS");
    expect(told).toEqual([]);
  });

  it("ends where T0 is over before it begins", async () => {
    const plan = await planFor(await armsFor([greeting], ["rest-express"]));
    const { status, stderr } = await k6(await written(plan), [], { T0: String(Date.now() - 1_000) });
    expect(status).not.toBe(0);
    expect(stderr).toContain("T0 was over before this instance was ready");
  });

  it("is inspected and archived without servers", async () => {
    const directory = await written(await planFor(await armsFor([greeting, reading])));
    for (const args of [
      ["inspect", "--execution-requirements", "script.js"],
      ["archive", "script.js"],
    ]) {
      const { promise, resolve } = Promise.withResolvers<string>();
      const env = { PATH: process.env["PATH"] ?? "", HOME: directory };
      execFile(k6Here?.path ?? "k6", args, { cwd: directory, env }, (error, _stdout, stderr) =>
        resolve(error === null ? "fine" : stderr),
      );
      // oxlint-disable-next-line no-await-in-loop
      expect(await promise).toBe("fine");
    }
  });
});
