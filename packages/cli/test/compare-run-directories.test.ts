// Two run directories beside each other, from files on disk to documents.
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareRunDirectories } from "../src/compare/run-directories.ts";
import { run } from "./support/shared-program.ts";
import { printed } from "./support/outcomes.ts";

let folder = "";
const at = (name: string): string => join(folder, name);

async function measured(name: string, study: string, ...flags: readonly string[]): Promise<void> {
  const args = ["bench", study, "--rounds", "1", "--calls", "20", "--quiet", "--out", at(name), ...flags];
  const { status, stderr } = await run(args);
  if (status !== 0) throw new Error(stderr);
}

/** Runs that were measured once, changed as a test wants them. */
async function changed(name: string, edit: (facts: Record<string, unknown>) => void): Promise<string> {
  await cp(at("head"), at(name), { recursive: true });
  const path = at(`${name}/run.json`);
  const facts = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  edit(facts);
  await writeFile(path, JSON.stringify(facts));
  return at(name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "roundtrip-compare-"));
  await measured("base", "hello", "--stack", "rest-express,grpc-js");
  await measured("head", "hello", "--stack", "rest-express");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function refusal(base: string, head: string): Promise<string> {
  const refused = await compareRunDirectories(base, head).catch((thrown: unknown) => thrown);
  if (!(refused instanceof Error)) throw new Error("it was not refused");
  expect(refused.message).not.toContain("\n");
  return refused.message.replaceAll(folder, "");
}

it("two run directories are compared by the arms that both have; too few rounds are said, and what only one has", async () => {
  const comparison = await compareRunDirectories(at("base"), at("head/run.json"));
  expect(comparison.cells.map(({ id, low }) => [id, low])).toEqual(
    [
      ...["rest-express", "floor", "in-process"].map((stack) => [stack, "latencyMs"]),
      // Calls in process have no server.
      ...["rest-express", "floor"].map((stack) => [stack, "serverCpuMsPerTask"]),
    ].map(([stack, metric]) => [`hello/hello/${stack}/single ${metric}`, null]),
  );
  expect(comparison.onlyBase).toEqual(["hello/hello/grpc-js/single"]);
  expect(comparison.warnings.map(({ code }) => code).slice(0, 3)).toEqual([
    "different-jobs",
    "few-rounds",
    "few-rounds",
  ]);
  // How far loopback is was measured in each of the runs: on a busy machine it differs.
  expect(comparison.environmentDifferences.filter(({ what }) => what !== "network")).toEqual([]);
});

it("roundtrip compare with two run directories prints the comparison as it is asked for, keeps it where it is asked to, and judges nothing", async () => {
  const out = at("kept");
  const stdout = printed(await run(["compare", at("base"), at("head"), "--format", "junit", "--out", out, "--strict"]));
  expect(stdout).toMatch(/^<\?xml/);
  expect(await readFile(join(out, "comparison.junit.xml"), "utf8")).toBe(stdout);
  expect((await readdir(out)).toSorted()).toEqual([
    "bencher.json",
    "comparison.html",
    "comparison.json",
    "comparison.junit.xml",
    "comparison.md",
    "github-action-benchmark.json",
    "plots",
  ]);
  const json = await run(["compare", at("base"), at("head"), "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, kind: "run-directories" });
});

describe("runs that cannot be compared", () => {
  it("have no arm in common", async () => {
    await measured("facade", "facade", "--stack", "floor");
    expect(await refusal(at("facade"), at("head"))).toBe(
      "/facade and /head have no arm in common (facade and hello): nothing to compare",
    );
  });

  it("are of a version of the file that is not known", async () => {
    const newer = await changed("newer", (facts) => void (facts["schemaVersion"] = 7));
    expect(await refusal(at("base"), newer)).toBe(
      "cannot read /newer/run.json: it has format 7, and this version reads format 1: use the Roundtrip version that wrote it",
    );
  });

  it("are cut off, or not there", async () => {
    await cp(at("head"), at("half"), { recursive: true });
    await truncate(at("half/samples.parquet"), 700);
    expect(await refusal(at("base"), at("half"))).toMatch(/^cannot read \/half\/samples\.parquet: it is damaged/);
    await truncate(at("half/run.json"), 400);
    expect(await refusal(at("half"), at("base"))).toMatch(/^cannot read \/half\/run\.json: it is not complete JSON/);
    expect(await refusal(at("base"), at("nowhere"))).toBe("there is no run at /nowhere");
  });

  it("are one and the same", async () => {
    expect(await refusal(at("head"), at("head/../head/run.json"))).toMatch(/are the same run$/);
  });
});
