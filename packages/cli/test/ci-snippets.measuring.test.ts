// The commands of docs/ci.md for other systems, each run by a shell in a repository of somebody else.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@roundtrip/runner/parts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { needing } from "../../../.ci/needs/needing.ts";
import { actionPath } from "./support/action-run.ts";
import { git, gitAll } from "./support/git.ts";
import { blocksOf, readPage } from "./support/page-section.ts";
import { emptyFolder, start, until, type Outcome } from "./support/run-program.ts";
import { shopRepository } from "./support/shop-repository.ts";
import { hasRound } from "./support/one-round.ts";

const page = readPage("ci.md");

const { roundtrip } = parse(blocksOf(page, "yaml").at(-1) ?? "") as {
  readonly roundtrip: { readonly script: string[] };
};
const groovy = blocksOf(page, "groovy").flatMap((block) =>
  [...block.matchAll(/^sh '(.*)'$/gm)].map(([, line = ""]) => line),
);
const lines = [...blocksOf(page, "sh").flatMap((block) => block.split("\n")), ...groovy, ...roundtrip.script];
const commands = lines.filter((line) => line.startsWith("roundtrip compare "));

const path = `${join(actionPath, ".ci/action/bin")}:${process.env["PATH"] ?? ""}`;

let folder = "";
const servers: { readonly port: number; readonly stop: () => void }[] = [];

async function startServer(file: string): Promise<void> {
  const port = await freePort("127.0.0.1");
  const child = spawn(process.execPath, [join(folder, file), String(port)], { stdio: "ignore" });
  servers.push({ port, stop: () => child.kill("SIGKILL") });
}

/** Somebody's clone with the branch of a pull request, its origin, two folders with servers, and two servers that run. */
beforeAll(async () => {
  const origin = shopRepository();
  folder = emptyFolder();
  git(folder, "clone", "-q", origin, ".");
  gitAll(folder, "checkout -q rename");
  for (const name of ["old", "new"]) {
    mkdirSync(join(folder, name));
    cpSync(join(folder, "shop.js"), join(folder, name, "server.js"));
    // oxlint-disable-next-line no-await-in-loop
    await startServer("shop.js");
  }
});

afterAll(() => {
  for (const { stop } of servers) stop();
});

/** Runs a command in the clone as a shell does, and interrupts it once it has measured a round: what is asked is whether it runs. */
async function inShell(command: string): Promise<Outcome> {
  const base = git(folder, "rev-parse", "origin/main").trim();
  const known = new Set(runsIn());
  const env = { PATH: path, CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
  const running = start([], { cwd: folder, env, shell: command });
  let hasEnded = false;
  const ended = running.ended.finally(() => (hasEnded = true));
  await until(() => (hasEnded || runsIn().some((run) => !known.has(run) && hasRound(run)) ? true : undefined));
  if (!hasEnded) running.signal("SIGINT");
  return ended;
}

function runsIn(): readonly string[] {
  const runs = join(folder, "runs");
  const named = existsSync(runs) ? readdirSync(runs).map((name) => join(runs, name)) : [];
  return [join(folder, "comparison"), ...named].filter((run) => existsSync(run));
}

/** Two run directories: one comparison, twice. */
async function addRuns(): Promise<void> {
  await inShell("roundtrip compare origin/main HEAD --out runs/monday --quiet");
  cpSync(join(folder, "runs", "monday"), join(folder, "runs", "friday"), { recursive: true });
}

describe("the commands of the page about CI", await needing("git", "bash"), () => {
  it("are all of this program, and none of another that is called compare", () => {
    expect(commands).toHaveLength(5);
    expect(lines.filter((line) => line.includes(" compare ") && !commands.includes(line))).toEqual([]);
  });

  it.each(commands)("%s", { timeout: 600_000 }, async (command) => {
    const [first, second] = servers;
    if (command.includes("runs/")) await addRuns();
    rmSync(join(folder, "comparison"), { recursive: true, force: true });
    const typed = command.replace("8081", String(first?.port)).replace("8082", String(second?.port));
    const { status, stdout, stderr } = await inShell(typed);
    expect(stderr).not.toContain("roundtrip: ");
    expect(stdout).toMatch(/^(?:INCONCLUSIVE|NO VERDICT) {2}/);
    expect([0, 130]).toContain(status);
  });
});
