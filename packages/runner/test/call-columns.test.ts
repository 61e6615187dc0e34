// A column is declared once: what is recorded, written and read has one more as soon as it is declared.
import { blankCalls, callColumns } from "@roundtrip/runs/call-columns";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSamples } from "../../runs/src/samples-reader.ts";
import { blankRows } from "@roundtrip/runs/sample-rows";
import { SamplesWriter } from "@roundtrip/runs/write";

const folder = mkdtempSync(join(tmpdir(), "roundtrip-columns-"));
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Makes the program see two more columns in the declaration, as if they stood in its file. */
const declareTwoMore = `
  import { readFileSync } from "node:fs";
  import { registerHooks } from "node:module";
    registerHooks({
    load(url, context, next) {
      if (!url.endsWith("/runs/src/call-columns.ts")) return next(url, context);
      const source = readFileSync(new URL(url), "utf8").replace(
        "export const callColumns = {",
        \`$&
  retries: { kind: "number", source: "client", readAs: "attempts", meaning: "" },
  lookupNs: { kind: "duration", source: "client", missing: "null", meaning: "" },\`,
      );
      return { format: "module-typescript", shortCircuit: true, source };
    },
  });`;

const recordWriteAndRead = (path: string): string => `
  const { blankCalls } = await import(${url("../src/measure/recorder.ts")});
  const { Recorder } = await import(${url("../src/measure/recorder.ts")});
  const { RoundRows } = await import(${url("../../runs/src/sample-rows.ts")});
  const { roundSamples } = await import(${url("../../runs/src/sample-rows.ts")});
  const { SamplesWriter } = await import(${url("../../runs/src/run-writer.ts")});
  const { readSamples } = await import(${url("../../runs/src/samples-reader.ts")});
  const recorder = new Recorder(2);
  recorder.record(0, 0, 1, 2);
  recorder.record(1, 0, 2, 3);
  const recorded = { ...recorder.rows(), attempts: Uint32Array.of(1, 4), lookupMs: Float64Array.of(0.25, NaN) };
  const round = new RoundRows(2, 0);
  round.add({ armId: "arm", round: 0, block: 0 }, { rows: recorded, outcomes: ["OK"], timeOriginMs: 0 });
  const writer = new SamplesWriter(${JSON.stringify(path)});
  writer.write(round.rows);
  writer.close();
  const calls = [
    recorder.rows(),
    await readSamples(${JSON.stringify(path)}, ["arm"]),
    roundSamples(round.rows, [{ id: "arm" }]),
  ];
  console.log(JSON.stringify(calls.map(({ attempts, lookupMs, lookupNs }) => [[...attempts], [...(lookupMs ?? lookupNs)]])));`;

describe("the columns of calls", () => {
  it("need no other source to know a new one: it is recorded, written and read", () => {
    const hooks = join(folder, "hooks.mjs");
    const program = join(folder, "program.mjs");
    writeFileSync(hooks, declareTwoMore);
    writeFileSync(program, recordWriteAndRead(join(folder, "more.parquet")));
    const printed = execFileSync(process.execPath, ["--import", hooks, program], { encoding: "utf8" });
    const read = [
      [1, 4],
      [250_000, null],
    ];
    expect(JSON.parse(printed)).toEqual([
      [
        [0, 0],
        [null, null],
      ],
      read,
      read,
    ]);
  });

  it("have one name when recorded, written and read, but for units, arms and tasks", async () => {
    const names = Object.keys(callColumns);
    const readAs = names.map((name) => ({ armId: "arm", index: "task" })[name] ?? name);
    const recordedAs = readAs.map((name) => name.replace(/Ns$/, "Ms"));
    expect(Object.keys(blankRows(0))).toEqual(names);
    expect(Object.keys(blankCalls(0))).toEqual(recordedAs.filter((name) => !["arm", "round", "block"].includes(name)));
    const path = join(folder, "all.parquet");
    const writer = new SamplesWriter(path);
    const given = { armId: ["arm"], firstByteAtNs: [1n], pauses: [2], queueNs: [3n], serviceNs: [4n] };
    writer.write({ ...blankRows(1), ...given });
    writer.close();
    expect(Object.keys(await readSamples(path, ["arm"])).toSorted()).toEqual(
      [...readAs, "length", "outcomes"].toSorted(),
    );
  });
});
