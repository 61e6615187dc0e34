// The schemathesis suite: valid and invalid requests generated from the OpenAPI document, alone and in sequences. Every answer is checked against it.
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atExit } from "../../../packages/runner/src/lifetime/ends-with-us.ts";
import { pythonWith } from "../python-environment.ts";
import type { SuiteEnvironment, Suite } from "../suite.ts";
import { allowed } from "./allowed.ts";
import { takeReport, type Tally } from "./report.ts";

const style = "rest";
const here = (name: string): string => join(import.meta.dirname, name);
const version = /^schemathesis==(.+)$/m.exec(readFileSync(here("requirements.in"), "utf8"))?.[1] ?? "";

/** Generated cases per operation in one pass. */
const examples = 40;
/** A pass takes seconds; after this many milliseconds it hangs. */
const longestPassMs = 300_000;
/** The phases that depend on the seed; others would repeat the same requests. */
const drawnPhases = "fuzzing,stateful";

interface Pass {
  readonly python: string;
  readonly seed: number;
  readonly phases: string;
  readonly report: string;
}

function runPass({ url, directory }: SuiteEnvironment, { python, seed, phases, report }: Pass): Promise<void> {
  const start = "from schemathesis.cli import schemathesis; schemathesis()";
  const flags = ["--seed", seed, "--max-examples", examples, "--phases", phases, "--url", url(style)].map(String);
  const keep = ["--report", "ndjson", "--report-ndjson-path", report, "--no-color"];
  const run = ["--config-file", here("schemathesis.toml"), "run", `${url(style)}/openapi.yaml`];
  const command = ["-c", start, ...run, ...flags, ...keep];
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, maxBuffer: 256 * 1024 * 1024, timeout: longestPassMs };
    const program = execFile(python, command, options, (error, stdout, stderr) => {
      running[Symbol.dispose]();
      // Exit status 1 means that there are findings.
      if (error === null || error.code === 1) resolve();
      else reject(new Error(`schemathesis: ${error.message}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`));
    });
    const running = atExit(() => program.kill());
  });
}

export const suite: Suite = {
  about: "the REST server against its OpenAPI document, with requests that schemathesis makes up",
  styles: [style],
  tools: ["python"],
  allowed,
  size: undefined,
  async run(environment) {
    const python = pythonWith(here("requirements.txt"));
    const tally: Tally = { sent: 0, passed: 0, findings: new Map() };
    let phases = `examples,coverage,${drawnPhases}`;
    for (
      let seed = environment.seed;
      seed === environment.seed || tally.sent < (environment.requests ?? 0);
      seed += 1
    ) {
      const report = join(environment.directory, `${seed}.ndjson`);
      await runPass(environment, { python, seed, phases, report });
      await takeReport(report, tally);
      rmSync(report);
      phases = drawnPhases;
    }
    return {
      program: `schemathesis ${version}`,
      unit: "requests",
      checked: tally.sent,
      passed: tally.passed,
      findings: [...tally.findings.values()],
    };
  },
};
