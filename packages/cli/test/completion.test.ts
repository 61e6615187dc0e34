// Shell completion: a script for each shell, and suggestions that know commands, flags and names.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { run as runAlone } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

/** What the shell would offer for these words, the last of which is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(["complete", "--", ...words]);
  return stdout
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(":"))
    .map((line) => line.split("\t")[0] ?? "");
}

const withBash = await needing("bash");

describe("completion", () => {
  it("has a script that bash understands", withBash, async () => {
    const { stdout } = await runAlone(["complete", "bash"]);
    expect(spawnSync("bash", ["-n"], { input: stdout, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("offers commands, flags, and the names of studies, stacks, formats and links", async () => {
    expect(await offered("b")).toEqual(["bench"]);
    expect(await offered("bench", "--ro")).toEqual(["--rounds"]);
    expect(await offered("bench", "")).toEqual(expect.arrayContaining(["facade", "hello"]));
    const stacks = ["graphql-apollo", "graphql-apollo+graphql-request"];
    expect(await offered("bench", "--stack", "graphql-a")).toEqual(stacks);
    expect(await offered("conform", "graphql-a")).toEqual(stacks);
    expect(await offered("bench", "--stack", "fast")).toEqual(["fastify"]);
    expect(await offered("report", "--format", "ht")).toEqual(["html"]);
    expect(await offered("predict", "m")).toEqual(["mm1", "mmc", "mva"]);
    expect(await offered("bench", "--link", "")).toEqual(["auto", "kernel", "loopback", "relay"]);
  });
});
