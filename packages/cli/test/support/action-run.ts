// Runs action.yml as the hosting service would: its steps in order, each with the variables that the service sets, outputs passed on.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** The checkout that this file is in: what a job gets that uses the action. */
export const actionPath = fileURLToPath(new URL("../../../../", import.meta.url));

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export function readAction(): Action {
  return parse(readFileSync(join(actionPath, "action.yml"), "utf8")) as Action;
}

export interface Job {
  /** A folder of its own, for the service's files. */
  readonly folder: string;
  readonly workspace: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly event: unknown;
  /** Variables of the machine, beside those that the service sets. */
  readonly env: Readonly<Record<string, string>>;
  readonly apiUrl: string;
  /** Steps by name that the caller has done already. */
  readonly done: readonly string[];
}

export interface RanStep {
  readonly name: string;
  readonly status: number;
  readonly log: string;
}

export interface RanJob {
  readonly steps: readonly RanStep[];
  readonly summary: string;
  /** What was uploaded: the inputs of steps that are actions of others. */
  readonly uploads: readonly Readonly<Record<string, string>>[];
  readonly outputs: Readonly<Record<string, string>>;
  /** Where its steps wrote what is not to stay. */
  readonly temporary: string;
}

/** Of expressions those that action.yml has; throws for any other. */
function evaluated(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{\s*([^}]*?)\s*\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the test does not know the expression ${name}`);
    return value;
  });
}

async function shell(run: string, env: NodeJS.ProcessEnv, cwd: string): Promise<Omit<RanStep, "name">> {
  const { promise, resolve } = Promise.withResolvers<Omit<RanStep, "name">>();
  // As the service starts `shell: bash`.
  execFile(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
    { env, cwd, maxBuffer: 2 ** 24 },
    (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code ?? 1);
      resolve({ status, log: stdout + stderr });
    },
  );
  return promise;
}

/** Runs the steps until one fails, as the service does. */
export async function runAction(job: Job): Promise<RanJob> {
  const { inputs, runs, outputs } = readAction();
  const file = (name: string, text = ""): string => {
    const path = join(job.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const [runner, temporary] = ["runner", "temp"].map((name) => join(job.folder, name)) as [string, string];
  mkdirSync(runner);
  mkdirSync(temporary);
  const service = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: temporary,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: actionPath,
    GITHUB_API_URL: job.apiUrl,
    GITHUB_ENV: file("env"),
    GITHUB_EVENT_PATH: file("event.json", JSON.stringify(job.event)),
    GITHUB_PATH: file("path"),
    GITHUB_REPOSITORY: "owner/repository",
    GITHUB_STATE: file("state"),
    GITHUB_STEP_SUMMARY: file("summary.md"),
    GITHUB_WORKSPACE: job.workspace,
    ACTIONS_RUNTIME_TOKEN: "a-token-for-artefacts",
    RUNNER_TEMP: runner,
    // As in run-program.ts: no test is about the numbers that a job measures.
    ROUNDTRIP_WARM_UP: "1ms",
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    ...job.env,
  };
  const values: Record<string, string> = { "github.token": "a-token-of-the-service" };
  for (const [name, input] of Object.entries(inputs)) {
    values[`inputs.${name}`] = job.inputs[name] ?? evaluated(input.default, values);
  }
  const steps: RanStep[] = [];
  const uploads: Readonly<Record<string, string>>[] = [];
  for (const one of runs.steps.filter(({ name }) => !job.done.includes(name))) {
    if (one.uses !== undefined) {
      const given = Object.entries(one.with ?? {}).map(([key, value]) => [key, evaluated(String(value), values)]);
      uploads.push(Object.fromEntries(given) as Record<string, string>);
      continue;
    }
    const output = file(`output-${steps.length}`);
    const own = Object.entries(one.env ?? {}).map(([key, value]) => [key, evaluated(value, values)]);
    const env = { ...service, ...Object.fromEntries(own), GITHUB_OUTPUT: output } as NodeJS.ProcessEnv;
    // oxlint-disable-next-line no-await-in-loop
    const ran = await shell(one.run ?? "", env, job.workspace);
    steps.push({ name: one.name, ...ran });
    if (ran.status !== 0) break;
    for (const line of readFileSync(output, "utf8").split("\n").filter(Boolean)) {
      const [name = "", ...value] = line.split("=");
      values[`steps.${one.id ?? ""}.outputs.${name}`] = value.join("=");
    }
  }
  const evaluatedOutputs = Object.entries(outputs).map(([name, { value }]) => {
    const known = Object.keys(values).some((key) => value.includes(key));
    return [name, known ? evaluated(value, values) : ""];
  });
  return {
    steps,
    summary: readFileSync(service.GITHUB_STEP_SUMMARY, "utf8"),
    uploads,
    outputs: Object.fromEntries(evaluatedOutputs) as Record<string, string>,
    temporary,
  };
}
