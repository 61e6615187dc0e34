// A full disk: one line that names it, and nothing half written that looks whole.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { gitAll } from "./support/git.ts";
import { emptyFolder, run, type Outcome, folderWith } from "./support/run-program.ts";
import { run as runShared } from "./support/shared-program.ts";
import { thingShop } from "./support/thing-shop.ts";

const measuredRun = fileURLToPath(new URL("fixtures/measured-run", import.meta.url));

/** Runs the program where a folder is a small disk, then lists the files on it. */
async function runWithDisk(
  words: readonly string[],
  cwd: string,
  disk: string,
  isTemporary: boolean,
): Promise<Outcome> {
  const size = isTemporary ? "96k" : "16k";
  const mounted = `mount -t tmpfs -o size=${size} none "$0" && "$@"; status=$?; find "$0" -type f; exit $status`;
  const shell = `unshare --user --map-root-user --mount sh -c '${mounted}' '${disk}' "$@"`;
  return run(words, { cwd, shell, ...(isTemporary ? { env: { TMPDIR: disk } } : {}) });
}

describe("a full disk", async () => {
  const onDisk = await needing("linux", "user-namespaces", "git", "bash");

  it.each([
    ["git cannot check out", ["compare", "main", "main"]],
    ["cannot copy", ["compare", "dir=.", "dir=."]],
  ])("for temporary files is named: %s", onDisk, async (what, words) => {
    const [cwd, disk] = [folderWith({ "shop.proto": thingShop }), emptyFolder()];
    for (const name of ["a", "b", "c"]) writeFileSync(join(cwd, name), Buffer.alloc(60_000, name));
    gitAll(cwd, "init -q -b main", "add -A", "commit -q -m first");
    const all = [...words, "--serve", "no-such-server {port}", "--stack", "rest"];
    const { status, stdout, stderr } = await runWithDisk(all, cwd, disk, true);
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    const last = stderr.trimEnd().split("\n").at(-1);
    expect(last).toMatch(new RegExp(`^roundtrip: ${what} [^\\n]+: no space is left on the disk of ${disk}`));
  });

  it("for a compiled contract is named", onDisk, async () => {
    const [cwd, disk] = [emptyFolder(), emptyFolder()];
    const messages = Array.from({ length: 4_000 }, (_, at) => `message Message${at} { string name = 1; }`);
    writeFileSync(join(cwd, "shop.proto"), `${thingShop}${messages.join("\n")}`);
    const { status, stdout, stderr } = await runWithDisk(["describe", "--contract", "shop.proto"], cwd, disk, true);
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^roundtrip: cannot compile the contract (?:in )?shop\\.proto: no space is left on the disk of ${disk}`,
      ),
    );
  });

  it.each([
    ["a report", ["report", measuredRun, "--out"], "report.html"],
    ["an export", ["export", "k6", "hello", "--rounds", "20", "--out"], "k6"],
    ["documents", ["describe", "--out"], "documents"],
    ["types", ["types", "--out"], "types"],
    ["a run", ["bench", "hello", "--stack", "rest", "--rounds", "2", "--calls", "2000", "--out"], "run"],
  ])("for %s is named", onDisk, async (_what, words, name) => {
    const [cwd, disk] = [emptyFolder(), emptyFolder()];
    const { status, stdout, stderr } = await runWithDisk([...words, join(disk, name)], cwd, disk, false);
    expect(status).toBe(69);
    const last = stderr.trimEnd().split("\n").at(-1);
    expect(last).toMatch(new RegExp(`^roundtrip: cannot write (?:to )?${disk}/[^\\n]*no space is left on the device$`));
    // What could not be written is not there in part, but for the calls of a run, which end with the last whole round.
    const [, path = ""] = /^roundtrip: cannot write (\/[^:]+):/.exec(last ?? "") ?? [];
    const left = stdout.split("\n").filter((file) => file === path && file !== "" && !file.endsWith(".parquet"));
    expect(left).toEqual([]);
  });

  it("keeps the rounds of a run before it was full", onDisk, async () => {
    const cwd = emptyFolder();
    // No file may grow beyond 48 KiB: samples reach that after some rounds, run.json does not in so few.
    const many = ["bench", "hello", "--stack", "floor", "--rounds", "40", "--calls", "800", "--quiet", "--out", "run"];
    const { status, stderr } = await run(many, { cwd, shell: 'ulimit -f 48 && exec "$@"' });
    expect(status).toBe(69);
    expect(stderr).toMatch(
      /^roundtrip: cannot write run\/(samples\.parquet|run\.json): the file would be larger [^\n]+\n$/,
    );
    const { facts } = JSON.parse((await runShared(["report", "run", "--json"], { cwd })).stdout) as {
      readonly facts: { readonly status: string; readonly roundsDone: number; readonly blocks: readonly unknown[] };
    };
    expect(facts.status).toBe("failed");
    expect(facts.blocks.length).toBeGreaterThan(0);
    expect(existsSync(join(cwd, "run", "run.json.partial"))).toBe(false);
  });
});
