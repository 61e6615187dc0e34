// The programs for who works on this project: their command lines are read alike, and Ctrl-C leaves nothing behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test, type TestContext } from "vitest";
import { needing } from "../../.ci/needs/needing.ts";
import { isRunning } from "../../packages/cli/test/support/child-processes.ts";
import { until } from "../../packages/cli/test/support/run-program.ts";

const projectRoot = join(import.meta.dirname, "../..");

const withPython = await needing("python");

/** The words after `node` of what `pnpm NAME` runs; the second word of a name is a command of the program. */
function wordsOf(nameWithCommand: string): readonly string[] {
  const [name = "", ...command] = nameWithCommand.split(" ");
  const path = join(projectRoot, "package.json");
  const { scripts } = JSON.parse(readFileSync(path, "utf8")) as { readonly scripts: Readonly<Record<string, string>> };
  return [scripts[name]?.replace("node ", "") ?? "", ...command];
}

/** Starts a program with its own directory for temporary files. */
function start({ onTestFinished }: TestContext, name: string, args: readonly string[]) {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-programs-"));
  const child = spawn(process.execPath, [...wordsOf(name), ...args], {
    cwd: projectRoot,
    env: { ...process.env, TMPDIR: workspace },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [status]]) => ({ stdout, stderr, status: status as number }),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(workspace, { recursive: true });
  });
  return { child, workspace, ended };
}

function run(context: TestContext, name: string, ...args: readonly string[]) {
  return start(context, name, args).ended;
}

const programs = ["fuzz bytes", "fuzz differential", "fuzz hostile", "bench:self", "outside"];

test.concurrent.for(programs)("pnpm %s refuses an argument that means nothing in one line", async (name, context) => {
  const { expect } = context;
  const { status, stdout, stderr } = await run(context, name, "nobody");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .*nobody.*\n$/);
});

describe.concurrent("--json prints the figures alone", () => {
  test.for([
    { name: "fuzz bytes", args: ["rest-express", "--seconds", "1", "--seed", "7"], figures: { seed: 7 } },
    { name: "fuzz differential", args: ["--requests", "4", "--seed", "7"], figures: { seed: 7, difference: null } },
    {
      name: "fuzz hostile",
      args: ["rest-express", "--only", "line breaks in a path"],
      figures: { stacks: [{ stack: "rest-express", attacks: 1, verdict: "met" }] },
    },
    { name: "bench:self", args: ["gate-null", "--share", "0.001", "--seed", "7"], figures: { seed: 7 } },
    { name: "outside", args: ["node-soap"], figures: { suites: [{ name: "node-soap", verdict: "passed" }] } },
  ])("of pnpm $name", async ({ name, args, figures }, context) => {
    const { expect } = context;
    const { status, stdout, stderr } = await run(context, name, ...args, "--json");
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject(figures);
  });
});

/** The processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return found === "" ? [] : found.split(" ").map(Number);
}

describe.concurrent("Ctrl-C ends it, with all that it started and wrote", () => {
  interface Started {
    readonly name: string;
    readonly args: readonly string[];
    readonly writes: boolean;
  }
  async function endsWithAll({ name, args, writes }: Started, context: TestContext): Promise<void> {
    const { expect } = context;
    const { child, workspace, ended } = start(context, name, args);
    const pid = child.pid ?? 0;
    // Node.js keeps compiled code there, which is meant to stay.
    const written = (): readonly string[] => readdirSync(workspace).filter((file) => file !== "node-compile-cache");
    await until(() => (childrenOf(pid).length > 0 && (!writes || written().length > 0) ? true : undefined));
    const started = childrenOf(pid);
    // To this process only: a terminal signals the whole group, other senders do not.
    child.kill("SIGINT");
    const { status, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 130, stderr: "interrupted\n" });
    await until(() => (started.some(isRunning) ? undefined : true));
    expect(written()).toEqual([]);
  }
  test.for([
    { name: "fuzz bytes", args: ["rest-express"], writes: false },
    { name: "fuzz hostile", args: ["rest-express"], writes: false },
    { name: "bench:self", args: ["faults"], writes: true },
  ])("pnpm $name", endsWithAll);
  test.for([{ name: "outside", args: ["schemathesis"], writes: true }])("pnpm $name", withPython, endsWithAll);

  test("pnpm fuzz differential", async (context) => {
    const { expect } = context;
    const { child, ended } = start(context, "fuzz differential", []);
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ status: 130, stderr: "interrupted\n" });
  });
});
