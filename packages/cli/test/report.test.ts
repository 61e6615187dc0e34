// `report`: any format of a run or of foreign samples, and one clear line for what cannot be read or written.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, run, type Outcome } from "./support/run-program.ts";

const longForm = "arm,round,latencyMs\nA,0,1.5\nA,1,1.7\nB,0,3\nB,1,3.1\n";

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = emptyFolder();
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(cwd, name), text)));
  return cwd;
}

async function reportOf(csv: string, ...args: readonly string[]): Promise<Outcome> {
  return run(["report", "samples.csv", ...args], { cwd: await folderWith({ "samples.csv": csv }) });
}

describe.concurrent("foreign samples", () => {
  it.each([
    ["in the long form", longForm],
    ["one row for each arm", "A,1500000,1700000\nB,3000000,3100000\n"],
    ["of one arm", "A,1500000,1700000,1600000\n"],
    ["of one sample", "A,1500000\n"],
    ["of many arms", Array.from({ length: 40 }, (_, arm) => `arm ${arm},${1e6 + arm},${2e6 + arm}\n`).join("")],
  ])("are reported %s", async (_form, csv) => {
    const { status, stdout, stderr } = await reportOf(csv);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^VERDICT\n/);
    expect(stdout).toContain(csv.includes("arm 39") ? "arm 39" : "A");
  });

  it("may be many", async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, row) => `${row % 2 === 0 ? "A" : "B"},${row % 10},${1 + (row % 97) / 10}`,
    );
    const { status, stdout } = await reportOf(`arm,round,latencyMs\n${rows.join("\n")}\n`, "--json");
    expect(status).toBe(0);
    const { analysis } = JSON.parse(stdout) as { analysis: { summaries: readonly { n: number }[] } };
    expect(analysis.summaries.reduce((sum, { n }) => Math.max(sum, n), 0)).toBe(50_000);
  });

  it.each([
    ["arm,round,latencyMs\nA,0,fast\n", "samples.csv: line 2: latencyMs is not a number"],
    ["arm,round,latencyMs\nA,0,1\nA,1\n", "samples.csv: line 3: expected 3 columns"],
    ["A,1000\n\nB,x\n", "samples.csv: line 3:"],
    ['A,"1000\n', "samples.csv: line "],
    ["", "samples.csv: line 1: there are no samples"],
    ["A,-5\n", "samples.csv: line 1: column 2 (nanoseconds) is negative"],
  ])("that are broken are told with the line: %j", async (csv, message) => {
    const { status, stdout, stderr } = await reportOf(csv);
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr).toMatch(/^roundtrip: [^\n]+\n$/);
    expect(stderr).toContain(`roundtrip: ${message}`);
  });
});

describe.concurrent("the place of a report", () => {
  it.each([
    ["report.html", "<!doctype html>"],
    ["new/folder/report.md", "# "],
    ["report.csv", "arm"],
    ["report.json", "{"],
  ])("says by its name which format it is to be: %s", async (name, beginning) => {
    const cwd = await folderWith({ "samples.csv": longForm });
    const { status, stdout } = await run(["report", "samples.csv", "--out", name], { cwd });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${name}\n` });
    expect((await readFile(join(cwd, name), "utf8")).toLowerCase().slice(0, 200)).toContain(beginning);
  });

  it("is a directory of documents without an extension, and a file when a format is named", async () => {
    const cwd = await folderWith({ "samples.csv": longForm });
    await run(["report", "samples.csv", "--out", "documents"], { cwd });
    expect(existsSync(join(cwd, "documents", "report.html"))).toBe(true);
    const { stdout } = await run(["report", "samples.csv", "--out", "plain", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({ written: ["plain"] });
    expect(JSON.parse(await readFile(join(cwd, "plain"), "utf8"))).toHaveProperty("analysis");
  });

  it("must be of a known format", async () => {
    const { status, stderr } = await reportOf(longForm, "--out", "report.docx");
    expect(status).toBe(64);
    expect(stderr).toMatch(
      /^roundtrip: no format is kept in \.docx files; say which with --format \(csv, html, .*\)\n$/,
    );
  });

  it.each([
    ["/proc/nowhere/report.html", "cannot write /proc/nowhere/report.html: no such file or directory"],
    ["/proc/nowhere", "cannot write /proc/nowhere/plots/"],
    ["samples.csv/report.html", "cannot write samples.csv/report.html: a file"],
    ["/dev/full/report.html", "cannot write /dev/full/report.html: a file"],
  ])("must be writable: %s", async (place, message) => {
    const { status, stdout, stderr } = await reportOf(longForm, "--out", place);
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(/^roundtrip: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it("must have room left", async () => {
    const { status, stderr } = await reportOf(longForm, "--format", "json", "--out", "/dev/full");
    expect({ status, stderr }).toEqual({
      status: 69,
      stderr: "roundtrip: cannot write /dev/full: no space is left on the device\n",
    });
  });
});

describe.concurrent("a run that cannot be read", () => {
  it("is a directory without one", async () => {
    const { status, stderr } = await run(["report", "."]);
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: "roundtrip: cannot read run.json: no such file or directory\n",
    });
  });

  it("has a run.json that is cut off", async () => {
    const cwd = await folderWith({ "run.json": '{"schemaVersion": 1, "arms": [' });
    const { status, stderr } = await run(["report", "run.json"], { cwd });
    expect(status).toBe(64);
    expect(stderr).toMatch(/^roundtrip: cannot read run\.json: it is not complete JSON \([^\n]+\)\n$/);
  });
});
