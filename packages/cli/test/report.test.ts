// `report`: any format of a run or of foreign samples, and one clear line for what cannot be read or written.
import { existsSync } from "node:fs";
import { link, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, type Outcome, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const longForm = "arm,round,latencyMs\nA,0,1.5\nA,1,1.7\nB,0,3\nB,1,3.1\n";

async function reportOf(csv: string, ...args: readonly string[]): Promise<Outcome> {
  return run(["report", "samples.csv", ...args], { cwd: folderWith({ "samples.csv": csv }) });
}

describe.concurrent("foreign samples", () => {
  it.each([
    ["in the long form", longForm],
    ["one row for each arm", "A,1500000,1700000\nB,3000000,3100000\n"],
    ["of one arm", "A,1500000,1700000,1600000\n"],
    ["of many arms", Array.from({ length: 40 }, (_, arm) => `arm ${arm},${1e6 + arm},${2e6 + arm}\n`).join("")],
  ])("are reported %s", async (_form, csv) => {
    const stdout = printed(await reportOf(csv, "--format", "terminal"));
    expect(stdout).toMatch(/^WHAT FOLLOWS\n/);
    expect(stdout).toContain(csv.includes("arm 39") ? "arm 39" : "A");
  });

  it.each([
    ["arm,round,latencyMs\nA,0,fast\n", "samples.csv: line 2: latencyMs is not a number"],
    ["arm,round,latencyMs\nA,0,1\nA,1\n", "samples.csv: line 3: expected 3 columns"],
    ['A,"1000\n', "samples.csv: line "],
    ["", "samples.csv: line 1: there are no samples"],
    ["A,-5\n", "samples.csv: line 1: column 2 (nanoseconds) is negative"],
  ])("that are broken are refused with the line: %j", async (csv, message) => {
    expect(refusal(await reportOf(csv))).toContain(message);
  });
});

describe.concurrent("the place of a report", () => {
  it.each([
    ["report.html", "<!doctype html>"],
    ["new/folder/report.md", "# "],
    ["report.csv", "arm"],
    ["report.json", "{"],
  ])("says by its name which format it is to be: %s", async (name, beginning) => {
    const cwd = folderWith({ "samples.csv": longForm });
    const { status, stdout } = await run(["report", "samples.csv", "--out", name], { cwd });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${name}\n` });
    expect((await readFile(join(cwd, name), "utf8")).toLowerCase().slice(0, 200)).toContain(beginning);
  });

  it("is a directory of documents without an extension, and a file when a format is named", async () => {
    const cwd = folderWith({ "samples.csv": longForm });
    await run(["report", "samples.csv", "--out", "documents"], { cwd });
    expect(existsSync(join(cwd, "documents", "report.html"))).toBe(true);
    const { stdout } = await run(["report", "samples.csv", "--out", "plain", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({ written: ["plain"] });
    expect(JSON.parse(await readFile(join(cwd, "plain"), "utf8"))).toHaveProperty("analysis");
  });
});

async function notReported(cwd: string, path: string, ...args: readonly string[]): Promise<string> {
  return refusal(await run(["report", path, ...args], { cwd }));
}

describe("a report never takes the place of what it is made from", () => {
  it("neither of a run's two files, whichever of them names the run", async () => {
    const cwd = emptyFolder();
    const short = ["bench", "hello", "--stack", "floor", "--rounds", "1", "--calls", "5", "--quiet", "--out", "own"];
    expect((await run(short, { cwd })).status).toBe(0);
    const content = (name: string): Promise<Buffer> => readFile(join(cwd, "own", name));
    const before = [await content("run.json"), await content("samples.parquet")];
    expect(await notReported(cwd, "own", "--out", "own/run.json")).toBe(
      "own/run.json would be overwritten, and this command reads it; choose another path",
    );
    await notReported(cwd, "own", "--json", "--out", "own/samples.parquet");
    await notReported(cwd, "own/run.json", "--format", "html", "--out", "own/samples.parquet");
    await notReported(cwd, "own/samples.parquet", "--out", "./own/../own/run.json");
    expect([await content("run.json"), await content("samples.parquet")]).toEqual(before);
    expect((await run(["report", "own", "--out", "own"], { cwd })).status).toBe(0);
    expect((await run(["report", "own", "--out", "own/report.csv"], { cwd })).status).toBe(0);
  });

  it("nor samples from elsewhere, by a link or inside a directory either", async () => {
    const cwd = folderWith({ "samples.csv": longForm });
    await symlink("samples.csv", join(cwd, "symbolic.csv"));
    await link(join(cwd, "samples.csv"), join(cwd, "hard.csv"));
    await mkdir(join(cwd, "documents"));
    await link(join(cwd, "samples.csv"), join(cwd, "documents", "report.md"));
    for (const out of ["samples.csv", "symbolic.csv", "hard.csv", "documents"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await notReported(cwd, "samples.csv", "--out", out)).toContain("would be overwritten");
    }
    await notReported(cwd, "symbolic.csv", "--out", "samples.csv");
    expect(await readFile(join(cwd, "samples.csv"), "utf8")).toBe(longForm);
  });
});

describe.concurrent("a run that cannot be read", () => {
  it("is a directory without one", async () => {
    expect(refusal(await run(["report", "."]))).toBe("cannot read run.json: no such file or directory");
  });

  it("has a run.json that is cut off", async () => {
    const cwd = folderWith({ "run.json": '{"schemaVersion": 1, "arms": [' });
    const { status, stderr } = await run(["report", "run.json"], { cwd });
    expect(status).toBe(64);
    expect(stderr).toMatch(/^roundtrip: cannot read run\.json: it is not complete JSON \([^\n]+\)\n$/);
  });
});
