// Runs of exported scripts on the real k6, against real servers of all styles.
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportFiles, writeExport } from "../../src/export/export-files.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { needing } from "../../../../.ci/needs/needing.ts";
import { findK6, type K6Program } from "../../src/instances/find-k6.ts";
import { image, scriptedStacks } from "./runner-arms.ts";

export const withK6 = await needing("k6");

/** Undefined where tests are left out for want of it. */
export const k6Here: K6Program | undefined = withK6.skip === true ? undefined : await findK6();

export interface ScriptSample {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly status: number;
  readonly stderr: string;
  readonly samples: readonly ScriptSample[];
}

export interface ScriptRuns extends AsyncDisposable {
  /** The servers' addresses by the script's variables. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Gives the directory that it wrote. */
  readonly written: (...plans: readonly K6Plan[]) => Promise<string>;
  /** Runs k6 in an exported directory. T0 is a full tenth of a second. */
  readonly k6: (directory: string, args?: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
}

const variableOf = {
  "grpc-js": "GRPC_TARGET",
  "graphql-apollo": "GRAPHQL_URL",
  "rest-express": "REST_URL",
  "json-rpc-2": "JSON_RPC_URL",
} as const;

function samplesIn(file: string): readonly ScriptSample[] {
  // What fails before it begins writes none.
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"Point"') && line.startsWith('{"metric":"roundtrip_'))
    .map((line) => {
      const { metric, data } = JSON.parse(line) as { metric: string; data: Omit<ScriptSample, "metric"> };
      return { metric, ...data };
    });
}

export async function scriptRuns(): Promise<ScriptRuns> {
  const folder = mkdtempSync(join(tmpdir(), "k6-script-"));
  const service = realService(image.contract);
  const servers = await Promise.all(
    scriptedStacks.map(async (stack) => (await loadServe(stack))(service, serveDefaults)),
  );
  const addresses = Object.fromEntries(
    scriptedStacks.map((stack, index) => [variableOf[stack], servers[index]?.url ?? ""]),
  );
  let exported = 0;
  return {
    addresses,
    async written(...plans) {
      exported += 1;
      const directory = join(folder, `export-${exported}`);
      await writeExport(directory, exportFiles({ plans, contract: image.bytes }));
      return directory;
    },
    // oxlint-disable-next-line require-await
    async k6(directory, args = [], env = {}) {
      const results = join(directory, `results-${args.join("-").replaceAll(/[^\d]+/g, "_")}.json`);
      const flags = ["run", "--quiet", "--no-color", "--no-usage-report", "--address", "127.0.0.1:0"];
      const own = { PATH: process.env["PATH"] ?? "", HOME: directory };
      const usual = { T0_STEP_MS: "100", T0_LEAD_MS: "1000", WARM_UP_MS: "1", ...addresses };
      return new Promise((resolve) => {
        execFile(
          k6Here?.path ?? "k6",
          [...flags, "--out", `json=${results}`, ...args, "script.js"],
          { cwd: directory, env: { ...own, ...usual, ...env }, timeout: 60_000 },
          (error, _stdout, stderr) => {
            const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
            resolve({ status, stderr, samples: samplesIn(results) });
          },
        );
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const callsIn = (samples: readonly ScriptSample[]): readonly ScriptSample[] =>
  samples.filter(({ metric }) => metric === "roundtrip_call");

export const instanceIn = (samples: readonly ScriptSample[]): ScriptSample | undefined =>
  samples.find(({ metric }) => metric === "roundtrip_instance");

export const named = ({ tags, metadata }: ScriptSample): string =>
  `${tags["scenario"]} ${metadata["task"]} ${metadata["step"]}`;

/** Every call of a plan, once. */
export function planned({ arms, cells }: K6Plan): readonly string[] {
  const stepsOf = new Map(arms.map(({ facts, steps }) => [facts.id, steps.length]));
  return cells.flatMap(({ name, armId, tasks }) =>
    Array.from({ length: tasks }, (_, task) => task).flatMap((task) =>
      Array.from({ length: stepsOf.get(armId) ?? 0 }, (_, step) => `${name} ${task} ${step}`),
    ),
  );
}
