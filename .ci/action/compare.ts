// The action's second step: compares, and keeps what came of it for the steps behind. It never fails by a verdict: that is the last step's.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOn, required, setOutput, step, variable } from "./environment.ts";

const program = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.ts");

/** Of what a program says, so much is kept. */
const mostText = 200_000;
const lastLines = 30;

const flags = {
  INPUT_BUDGET: "--budget",
  INPUT_TOLERATE: "--tolerate",
  INPUT_DETECT: "--detect",
  INPUT_STACKS: "--stack",
  INPUT_STUDIES: "--study",
  INPUT_BUILD: "--build",
  INPUT_SERVE: "--serve",
} as const;

function argumentsFor(directory: string): readonly string[] {
  const given = Object.entries(flags).flatMap(([input, flag]) => {
    const value = variable(input);
    // A value that begins with a dash is still a value.
    return value === "" ? [] : [`${flag}=${value}`];
  });
  const strict = isOn("INPUT_STRICT") ? ["--strict"] : [];
  const output = ["--format=markdown", `--out=${directory}`];
  return ["compare", ...given, ...strict, ...output, "--", required("INPUT_BASE"), required("INPUT_HEAD")];
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program where the service has checked the repository out; what it says on standard error goes to the log as it comes. */
async function run(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: required("GITHUB_WORKSPACE"),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const onSignal = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout = (stdout + chunk.toString()).slice(0, mostText)));
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    stderr = (stderr + chunk.toString()).slice(-mostText);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject).on("close", (status) => resolve(status ?? 130));
  return { status: await promise, stdout, stderr };
}

/** A comparison that did not come about, in the words of the program. */
function failureText({ status, stderr }: Ended): string {
  const said = stderr.trim().split("\n").slice(-lastLines).join("\n").replaceAll("~~~", "~ ~ ~");
  return `### Roundtrip: no comparison\n\nThe program ended with status ${status}:\n\n~~~~~~\n${said}\n~~~~~~\n`;
}

/** What the comparison's own file says; `none` where there is no verdict. */
function verdictIn(directory: string): string {
  const path = join(directory, "comparison.json");
  if (!existsSync(path)) return "none";
  const { verdict } = JSON.parse(readFileSync(path, "utf8")) as { readonly verdict?: unknown };
  return typeof verdict === "string" ? verdict : "none";
}

await step(async () => {
  const room = mkdtempSync(join(required("RUNNER_TEMP"), "roundtrip-"));
  const directory = join(room, "run");
  const ended = await run(argumentsFor(directory));
  const text = join(room, "comparison.md");
  writeFileSync(text, ended.stdout.trim() === "" ? failureText(ended) : ended.stdout);
  setOutput("status", String(ended.status));
  setOutput("verdict", verdictIn(directory));
  setOutput("text", text);
  setOutput("directory", directory);
});
