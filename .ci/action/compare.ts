// Step 2 of the action: compares, and stores the result for later steps. A FAIL does not fail this step, but the last one.
import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOn, required, setOutput, step, variable, withoutPowers } from "./environment.ts";

// Output of other programs in the log of the step.

interface QuotedLog extends Disposable {
  write(chunk: Uint8Array): void;
}

/** Until disposed, the service ignores commands in the log, such as `::add-mask::` at the start of a line. The token that ends this is random. */
function quotedLog(): QuotedLog {
  const word = randomBytes(16).toString("hex");
  // A single stream: the service merges two in arbitrary order.
  const { stdout } = process;
  stdout.write(`::stop-commands::${word}\n`);
  return {
    write: (chunk) => void stdout.write(chunk),
    // The last output may lack a line break.
    [Symbol.dispose]: () => void stdout.write(`\n::${word}::\n`),
  };
}

const program = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "roundtrip.js");

const usage = 64;

const mostText = 200_000;

const flags = {
  INPUT_BUDGET: "--budget",
  INPUT_TOLERATE: "--tolerate",
  INPUT_DETECT: "--detect",
  INPUT_ALPHA: "--alpha",
  INPUT_METRICS: "--metric",
  INPUT_STACKS: "--stack",
  INPUT_STUDIES: "--study",
  INPUT_BUILD: "--build",
  INPUT_SERVE: "--serve",
} as const;

function argumentsFor(directory: string): readonly string[] {
  const given = Object.entries(flags).flatMap(([input, flag]) => {
    const value = variable(input);
    // The form with `=` allows values that begin with a dash.
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

/**
 * Runs the program in the checked-out repository; passes its standard error to the log. Builds and servers of both versions are its child processes:
 * they get a reduced environment, and the log executes no commands that they print.
 */
async function run(args: readonly string[]): Promise<Ended> {
  const cwd = join(required("GITHUB_WORKSPACE"), variable("INPUT_WORKING_DIRECTORY"));
  // Starting a program there would blame the program.
  if (!existsSync(cwd)) throw new Error(`input working-directory: there is no folder ${cwd}`);
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: withoutPowers(process.env),
  });
  using log = quotedLog();
  const onSignal = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout = (stdout + chunk.toString()).slice(0, mostText)));
  child.stderr.on("data", (chunk: Buffer) => {
    log.write(chunk);
    stderr = (stderr + chunk.toString()).slice(-mostText);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject).on("close", (status) => resolve(status ?? 130));
  return { status: await promise, stdout, stderr };
}

const meanings: Readonly<Record<number, string>> = {
  3: "base and head do not answer alike, so nothing was measured; if that is intended, name the task in `answersMayDiffer` of `roundtrip.config.ts`",
  69: "one of the two does not build or start, or something that this needs is not available",
  130: "it was interrupted before anything was compared",
};

function logText(): string {
  const [server, repository, id] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"].map(variable);
  const isKnown = [server, repository, id].every((one) => one !== "");
  return isKnown ? `[the log of its step](${server}/${repository}/actions/runs/${id})` : "the log of its step";
}

/** The program's message about a wrong name or flag, which is only about the command line. */
function usageText({ status, stderr }: Ended): string {
  if (status !== usage) return "";
  const said = stderr.split("\n").findLast((line) => line.startsWith("roundtrip: ")) ?? "";
  return said === "" ? "" : `~~~~~~\n${said.replaceAll("~~~", "~ ~ ~")}\n~~~~~~\n\n`;
}

/** The text for a failed comparison. Output of builds and servers stays in the log, which masks known secrets; comments do not. */
function failureText(ended: Ended): string {
  const { status } = ended;
  const meaning = meanings[status];
  const why = `The program ended with status ${status}${meaning === undefined ? "" : `: ${meaning}`}.`;
  return `### Roundtrip: no comparison\n\n${why}\n\n${usageText(ended)}Look into ${logText()}.\n`;
}

interface Compared {
  readonly verdict: string;
  readonly headline: string;
}

/** The verdict and the first sentence in the comparison's file; `none` without one. */
function comparedIn(directory: string): Compared {
  const path = join(directory, "comparison.json");
  const none: Compared = { verdict: "none", headline: "" };
  return existsSync(path) ? { ...none, ...(JSON.parse(readFileSync(path, "utf8")) as Partial<Compared>) } : none;
}

await step(async () => {
  const workspace = mkdtempSync(join(required("RUNNER_TEMP"), "roundtrip-"));
  const directory = join(workspace, "run");
  const ended = await run(argumentsFor(directory));
  // In the program's output directory, so that later jobs have it too.
  mkdirSync(directory, { recursive: true });
  const text = join(directory, "comment.md");
  writeFileSync(text, ended.stdout.trim() === "" ? failureText(ended) : ended.stdout);
  setOutput("status", String(ended.status));
  const { verdict, headline } = comparedIn(directory);
  setOutput("verdict", verdict);
  setOutput("headline", headline);
  setOutput("text", text);
  setOutput("directory", directory);
});
