// What a run keeps when it cannot go on: every round that was written before.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { readSamples } from "../src/samples-reader.ts";
import { blankRows, type SampleRows } from "../src/sample-rows.ts";
import { SamplesWriter } from "../src/run-writer.ts";

// A process runs its text, and brings its own rows.
function aRound(round: number, calls: number, blank: (length: number) => SampleRows): SampleRows {
  const numbers = Int32Array.from({ length: calls }, (_, call) => call);
  const times = BigInt64Array.from({ length: calls }, (_, call) => BigInt(call) * 1_000_003n);
  return {
    ...blank(calls),
    armId: Array.from({ length: calls }, () => "arm"),
    round: new Int32Array(calls).fill(round),
    index: numbers,
    intendedAtNs: times,
    startedAtNs: times,
    endedAtNs: times,
    outcome: Array.from({ length: calls }, () => "OK"),
    requestBytes: numbers,
    responseBytes: numbers,
    firstByteAtNs: Array.from({ length: calls }, (_, call) => (call % 2 === 0 ? null : BigInt(call))),
    pauses: Array.from({ length: calls }, (_, call) => (call % 2 === 0 ? null : call)),
    queueNs: Array.from({ length: calls }, (_, call) => (call % 2 === 0 ? null : BigInt(call))),
    serviceNs: Array.from({ length: calls }, (_, call) => (call % 2 === 0 ? null : BigInt(2 * call))),
  };
}

function emptyPlace(): string {
  return join(mkdtempSync(join(tmpdir(), "roundtrip-parquet-")), "samples.parquet");
}

const withBash = await needing("bash");

describe("the samples of a run that goes on", () => {
  it("can be read after every round, before the file is closed", async () => {
    const path = emptyPlace();
    const writer = new SamplesWriter(path);
    expect((await readSamples(path, ["arm"])).length).toBe(0);
    for (const round of [0, 1, 2]) {
      writer.write(aRound(round, 1_000, blankRows));
      // oxlint-disable-next-line no-await-in-loop
      const samples = await readSamples(path, ["arm"]);
      expect(samples.length).toBe((round + 1) * 1_000);
      expect([...(samples.pauses ?? [])].slice(-4)).toEqual([Number.NaN, 997, Number.NaN, 999]);
      expect([...(samples.firstByteAtNs ?? [])].slice(-2)).toEqual([Number.NaN, 999]);
      expect(samples.round.at(-1)).toBe(round);
      expect(samples.endedAtNs.at(-1)).toBe(999 * 1_000_003);
    }
    writer.close();
  });

  it("keeps the rounds before when one does not fit any more", withBash, async () => {
    const path = emptyPlace();
    // A process of its own, in which no file may grow beyond 64 KiB.
    const script = `
      const { blankRows } = await import(${JSON.stringify(new URL("../src/sample-rows.ts", import.meta.url).href)});
      const { SamplesWriter } = await import(${JSON.stringify(new URL("../src/run-writer.ts", import.meta.url).href)});
      const aRound = ${aRound.toString()};
      const writer = new SamplesWriter(${JSON.stringify(path)});
      let round = 0;
      try {
        for (; round < 100; round += 1) writer.write(aRound(round, 1000, blankRows));
      } catch (error) {
        console.log(JSON.stringify({ round, code: error.code, message: error.message }));
      }`;
    const { stdout, stderr } = spawnSync(
      "bash",
      ["-c", 'ulimit -f 64 && exec "$0" --input-type=module --eval "$1"', process.execPath, script],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    const reported = JSON.parse(stdout) as { readonly round: number; readonly code: string; readonly message: string };
    expect(reported).toMatchObject({
      code: "unwritable",
      message: `cannot write ${path}: the file would be larger than the system allows`,
    });
    expect(reported.round).toBeGreaterThan(0);
    const samples = await readSamples(path, ["arm"]);
    expect(samples.length).toBe(reported.round * 1_000);
    expect(samples.round.at(-1)).toBe(reported.round - 1);
  });
});
