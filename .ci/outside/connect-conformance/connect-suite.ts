// The suite of Connect's authors for a style: their reference clients call the ConformanceService, over every permutation of what a server has.
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { atExit } from "../../../packages/runner/src/lifetime/ends-with-us.ts";
import { goProgram, goSources } from "../tools.ts";
import { judge } from "../suite.ts";
import type { Allowance, Finding, Suite, SuiteEnvironment } from "../suite.ts";
import { beyondHandlers } from "./allowed.ts";
import { casesIn, type Cases, type FailedCase } from "./cases-in.ts";

const version = "1.0.7";
const suiteModule = { path: "connectrpc.com/conformance", version: `v${version}` };
const here = (name: string): string => join(import.meta.dirname, name);
const buf = here("../../../node_modules/.bin/buf");
/** All cases take less than a minute; after this many milliseconds the program hangs. */
const longestMs = 300_000;
/** Server processes at once. */
const servers = 2;

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: longestMs };
    const running = execFile(program, args, options, (error, stdout, stderr) => {
      ended[Symbol.dispose]();
      // Exit status 1 means that cases failed.
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`connectconformance: ${error.message}\n${stderr.slice(-2000)}`));
    });
    const ended = atExit(() => running.kill());
  });
}

async function casesOf(style: string, { directory, stack }: SuiteEnvironment): Promise<Cases> {
  const program = goProgram(suiteModule, "cmd/connectconformance");
  // The contract as a descriptor set, compiled from the sources of the same version.
  const image = join(directory, "conformance.binpb");
  execFileSync(buf, ["build", join(goSources(suiteModule), "proto"), "--output", image]);
  const flags = ["--mode", "server", "--conf", here(`${style}.yaml`), "--max-servers", String(servers)];
  return casesIn(await run(program, [...flags, "--", process.execPath, here("serve.ts"), stack(style), image]));
}

function findingsOf({ name, faults }: FailedCase): readonly Finding[] {
  return faults.map((text) => ({ id: `${name} ${text}`, text: "in a permutation" }));
}

export interface ConnectSuite {
  readonly about: string;
  /** Beside this file, `STYLE.yaml` is what its servers have. */
  readonly style: string;
  /** Beyond {@link beyondHandlers}. */
  readonly allowed: readonly Allowance[];
}

export function connectSuite({ about, style, allowed }: ConnectSuite): Suite {
  return {
    about,
    styles: [style],
    tools: ["go"],
    allowed: [...beyondHandlers, ...allowed],
    size: undefined,
    async run(environment) {
      const { total, passed, failed } = await casesOf(style, environment);
      const beside = failed.filter((one) => judge(findingsOf(one), beyondHandlers).faults.length > 0).length;
      const findings = new Map(failed.flatMap(findingsOf).map((finding) => [finding.id, finding]));
      return {
        program: `connectconformance ${version}`,
        unit: `cases; ${(total - beside).toLocaleString("en")} but for what handlers cannot do`,
        checked: total,
        passed,
        findings: [...findings.values()],
      };
    },
  };
}
