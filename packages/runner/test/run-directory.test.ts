// Run directories: what is read of them, when one is free for a run, and the environment that a run records.
import { mkdtemp, readFile, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type MeasureOptions, measureRun } from "../src/index.ts";
import { isFreeForRun, readRun } from "@roundtrip/runs/read";
import { shortRun, measureWhole } from "./support/short-run.ts";

describe("reading a run directory", () => {
  let directory = "";
  beforeAll(async () => {
    const options = await shortRun({ rounds: 1, stackNames: ["floor"] });
    await measureWhole(options);
    directory = options.directory;
  });

  async function copyWith(file: string, change: (path: string) => Promise<void>): Promise<string> {
    const copy = await mkdtemp(join(tmpdir(), "roundtrip-copy-"));
    for (const name of ["run.json", "samples.parquet"]) {
      await writeFile(join(copy, name), await readFile(join(directory, name)));
    }
    await change(join(copy, file));
    return copy;
  }

  it("takes the directory or its run.json", async () => {
    const whole = await readRun(directory);
    expect((await readRun(join(directory, "run.json"))).facts).toEqual(whole.facts);
  });

  it("reports a path without a run", async () => {
    await expect(readRun("/no/such/run")).rejects.toThrow("there is no run at /no/such/run");
  });

  it("says that run.json is cut off", async () => {
    const copy = await copyWith("run.json", (path) => truncate(path, 500));
    await expect(readRun(copy)).rejects.toThrow(/run\.json: it is not complete JSON/);
  });

  it("says that samples.parquet is cut off", async () => {
    const copy = await copyWith("samples.parquet", (path) => truncate(path, 500));
    await expect(readRun(copy)).rejects.toThrow(/cannot read .*samples\.parquet/);
  });

  it("refuses a version from the future", async () => {
    const copy = await copyWith("run.json", (path) => writeFile(path, JSON.stringify({ schemaVersion: 99 })));
    await expect(readRun(copy)).rejects.toThrow("it has format 99, and this version reads format 1");
  });
});

describe("a run directory is free for a run", () => {
  const ends = new AbortController();
  ends.abort();

  async function ended(options: MeasureOptions): Promise<string> {
    await measureRun(options, ends.signal, () => undefined);
    return options.directory;
  }

  it("when it is not there, and when the run in it ended before it had made a call", async () => {
    expect(await isFreeForRun("/no/such/run")).toBe(true);
    expect(await isFreeForRun(await ended(await shortRun({})))).toBe(true);
  });

  it("but not while the run in it is under way, however little that has measured", async () => {
    const options = await shortRun({ rounds: 1, stackNames: ["floor"] });
    let isFree: Promise<boolean> | undefined;
    await measureRun(options, new AbortController().signal, () => {
      isFree ??= isFreeForRun(options.directory);
    });
    expect(await isFree).toBe(false);
    expect(await isFreeForRun(options.directory)).toBe(false);
  });

  it("nor if either file cannot be read, or contains calls that the other does not list", async () => {
    const options = await shortRun({ rounds: 1, stackNames: ["floor"] });
    await measureWhole(options);
    const path = join(options.directory, "run.json");
    const whole = await readFile(path, "utf8");
    await writeFile(path, JSON.stringify({ ...(JSON.parse(whole) as object), blocks: [] }));
    expect(await isFreeForRun(options.directory)).toBe(false);
    await truncate(path, 10);
    expect(await isFreeForRun(options.directory)).toBe(false);
    const empty = await ended(await shortRun({}));
    await truncate(join(empty, "samples.parquet"), 10);
    expect(await isFreeForRun(empty)).toBe(false);
  });
});
