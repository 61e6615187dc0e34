// Where output goes: colours and progress are for terminals, a reader may leave early, and a full disk under a pipe is reported.
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { run, folderWith } from "./support/run-program.ts";
import { run as runShared } from "./support/shared-program.ts";
import { printed } from "./support/outcomes.ts";

const escape = "\u001B[";

/** Runs the program on a pseudo terminal, whose output carries what both streams would show. */
const onTerminal = `script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`;

const withBash = await needing("bash");
const withTerminal = await needing("bash", "script");

/** Whether there are colours in a description. */
async function isColoured(env: Readonly<Record<string, string>>, shell?: string): Promise<boolean> {
  const all = { TERM: "xterm-256color", ...env };
  const words = ["describe", "SayHello"];
  const { stdout } = await (shell === undefined ? runShared(words, { env: all }) : run(words, { env: all, shell }));
  expect(stdout).toContain("SayHello");
  return stdout.includes(escape);
}

describe.concurrent("colours", () => {
  it.each([
    ["are left out where there is no terminal", {}, false],
    ["are there with FORCE_COLOR, whatever the stream", { FORCE_COLOR: "1" }, true],
    ["are left out in a continuous integration job that asks for none", { CI: "true" }, false],
  ])("%s", async (_name, env, are) => {
    expect(await isColoured(env)).toBe(are);
  });

  it.each([
    ["are there", {}, true],
    ["are left out with NO_COLOR", { NO_COLOR: "1" }, false],
    ["are left out with FORCE_COLOR=0", { FORCE_COLOR: "0" }, false],
    ["are left out if it is dumb", { TERM: "dumb" }, false],
  ])("%s on a terminal", withTerminal, async (_name, env, are) => {
    expect(await isColoured(env, onTerminal)).toBe(are);
  });

  it("are there in a report too", async () => {
    const cwd = folderWith({ "samples.csv": "A,1000000,1100000\nB,2000000,2100000\n" });
    for (const FORCE_COLOR of ["0", "1"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { stdout } = await runShared(["report", "samples.csv"], { cwd, env: { FORCE_COLOR } });
      expect(stdout).toContain("What follows");
      expect(stdout.includes(escape)).toBe(FORCE_COLOR === "1");
    }
  });
});

describe.concurrent("output", () => {
  it("may lose its reader", withBash, async () => {
    const stdout = printed(await run(["describe"], { shell: 'set -o pipefail; "$@" | head -n 1' }));
    expect(stdout.split("\n")).toHaveLength(2);
  });

  it("is reported as lost when there is no space for it", withBash, async () => {
    const { status, stderr } = await run(["describe"], { shell: '"$@" > /dev/full' });
    expect({ status, stderr }).toEqual({ status: 69, stderr: "roundtrip: write: no space is left on the device\n" });
  });
});
