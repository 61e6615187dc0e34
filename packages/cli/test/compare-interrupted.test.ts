// Ctrl-C while `compare` still prepares: it ends at once, and nothing stays behind.
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { mentioning } from "./support/child-processes.ts";
import { git, gitAll } from "./support/git.ts";
import { emptyFolder, start, until, folderWith } from "./support/run-program.ts";
import { thingShop } from "./support/thing-shop.ts";

const node = process.execPath;
const neverEnding = "setInterval(() => undefined, 60_000);";

async function gone(words: string): Promise<void> {
  await until(() => (mentioning(words).length === 0 ? true : undefined));
}

it("ends at once while a server does not become ready, and its server with it", async () => {
  const cwd = folderWith({ "shop.proto": thingShop, "never-ready.mjs": neverEnding });
  const command = `"${node}" "${join(cwd, "never-ready.mjs")}" {port}`;
  const words = [`cmd=${command}`, `cmd=${command}`, "--contract", "shop.proto", "--stack", "rest"];
  const running = start(["compare", ...words], { cwd });
  await until(() => (mentioning(join(cwd, "never-ready.mjs ")).length > 1 ? true : undefined));
  process.kill(running.pid, "SIGINT");
  expect(await running.ended).toEqual({ status: 130, stdout: "", stderr: "Nothing had been compared yet.\n" });
  await gone(join(cwd, "never-ready.mjs "));
});

it("ends at once while git checks a revision out, and leaves no work tree behind", await needing("git"), async () => {
  const temporary = emptyFolder();
  const attributes = "large.bin filter=slow\n";
  const cwd = folderWith({ "slow.mjs": neverEnding, ".gitattributes": attributes, "large.bin": "large" });
  gitAll(cwd, "init -q -b main", "add -A", "commit -q -m first");
  // The user's own: a filter of the repository would not run.
  const settings = join(temporary, "gitconfig");
  git(cwd, "config", "--file", settings, "filter.slow.smudge", `"${node}" "${join(cwd, "slow.mjs")}"`);
  const words = ["compare", "main", "main", "--serve", "server", "--stack", "rest"];
  const running = start(words, { cwd, env: { TMPDIR: temporary, GIT_CONFIG_GLOBAL: settings } });
  await until(() => (mentioning(join(cwd, "slow.mjs")).length > 0 ? true : undefined));
  // To the program alone, as a job that is cancelled sends it.
  process.kill(running.pid, "SIGTERM");
  const { status, stderr } = await running.ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: "checking main out …\nNothing had been compared yet.\n" });
  await gone(join(cwd, "slow.mjs"));
  expect(git(cwd, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  expect(readdirSync(temporary).filter((name) => name.startsWith("roundtrip-compare-"))).toEqual([]);
});

it.each(["SIGTERM", "SIGKILL"] as const)(
  "removes the files of a work tree before git forgets it, which takes long for many, after %s",
  await needing("git"),
  async (signal) => {
    const cwd = folderWith({ "shop.proto": thingShop, "never-ready.mjs": neverEnding });
    gitAll(cwd, "init -q -b main", "add -A", "commit -q -m first");
    // A git that is stopped while it removes files.
    const programs = emptyFolder();
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const stopped = `case "$*" in *"worktree remove"*) for last; do :; done; [ -e "$last" ] && exit 143 ;; esac`;
    writeFileSync(join(programs, "git"), `#!/bin/sh\n${stopped}\nexec "${real}" "$@"\n`, { mode: 0o755 });
    const command = `"${node}" "${join(cwd, "never-ready.mjs")}" {port}`;
    const words = ["compare", "main", "main", "--serve", command, "--contract", "shop.proto", "--stack", "rest"];
    const running = start(words, { cwd, env: { PATH: `${programs}:${process.env["PATH"]}` } });
    const trees = (): number => git(cwd, "worktree", "list", "--porcelain").match(/^worktree /gm)?.length ?? 0;
    await until(() => (mentioning(join(cwd, "never-ready.mjs ")).length > 1 ? true : undefined));
    expect(trees()).toBe(3);
    process.kill(running.pid, signal);
    await running.ended;
    await until(() => (trees() === 1 ? true : undefined));
  },
);
