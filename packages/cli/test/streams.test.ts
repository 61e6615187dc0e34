// Where output goes: colours and progress are for terminals, a reader may leave early, and a full disk under a pipe is told.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, run } from "./support/run-program.ts";

const escape = "\u001B[";

/** Runs the program on a pseudo terminal, whose output carries what both streams would show. */
const onTerminal = `script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`;

describe.concurrent("colours", () => {
  it.each([
    ["are left out where there is no terminal", {}, undefined, false],
    ["are there on a terminal", {}, onTerminal, true],
    ["are left out on a terminal with NO_COLOR", { NO_COLOR: "1" }, onTerminal, false],
    ["are there with FORCE_COLOR, whatever the stream", { FORCE_COLOR: "1" }, undefined, true],
    ["are left out with FORCE_COLOR=0", { FORCE_COLOR: "0" }, onTerminal, false],
    ["are left out in a continuous integration job that asks for none", { CI: "true" }, undefined, false],
  ])("%s", async (_name, env, shell, isColoured) => {
    const terminal = { TERM: "xterm-256color", ...env };
    const cwd = emptyFolder();
    await writeFile(join(cwd, "samples.csv"), "A,1000000,1100000\nB,2000000,2100000\n");
    for (const args of [
      ["describe", "SayHello"],
      ["report", "samples.csv"],
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      const { stdout } = await run(args, { env: terminal, cwd, ...(shell === undefined ? {} : { shell }) });
      expect(stdout).toMatch(/SayHello|VERDICT/);
      expect(stdout.includes(escape)).toBe(isColoured);
    }
  });
});

describe.concurrent("output", () => {
  it("may lose its reader", async () => {
    const { status, stdout, stderr } = await run(["describe"], { shell: 'set -o pipefail; "$@" | head -n 1' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toHaveLength(2);
  });

  it("is told to be lost when there is no room for it", async () => {
    const { status, stderr } = await run(["describe"], { shell: '"$@" > /dev/full' });
    expect({ status, stderr }).toEqual({ status: 69, stderr: "roundtrip: write: no space is left on the device\n" });
  });

  it("is one JSON document with --json, and nothing else", async () => {
    const { stdout, stderr } = await run(["describe", "--json"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toHaveProperty("operations");
  });
});
