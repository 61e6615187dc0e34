import type { Samples } from "../src/index.ts";
import * as fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readSamples, samplesInParts } from "../src/samples-reader.ts";
import { blankRows, type SampleRows } from "../src/sample-rows.ts";
import { SamplesWriter } from "../src/run-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "roundtrip-samples-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "samples.parquet");
const armIds = ["one", "other", "third"];

/** Calls of one round; every n-th has failed, is a stream, or reports its server's times. */
function rowsOf(round: number, length: number, every: number): SampleRows {
  const numbers = Array.from({ length }, (_, call) => call);
  const some = <T>(value: (call: number) => T): (T | null)[] =>
    numbers.map((call) => (every > 0 && call % every === 0 ? value(call) : null));
  // Beyond what 32 and 53 bits hold in parts: a run of days, and a clock that was set back.
  const ns = (call: number): bigint => 2n ** 50n * BigInt(round) + BigInt(call * 4_294_967_297) - 5n;
  return {
    ...blankRows(length),
    armId: numbers.map((call) => armIds[call % armIds.length] ?? ""),
    round: new Int32Array(length).fill(round),
    block: Int32Array.from(numbers, (call) => Math.floor(call / 5)),
    index: Int32Array.from(numbers),
    intendedAtNs: BigInt64Array.from(numbers, ns),
    startedAtNs: BigInt64Array.from(numbers, (call) => ns(call) + 1n),
    endedAtNs: BigInt64Array.from(numbers, (call) => ns(call) + 2n),
    outcome: numbers.map((call) => (every > 0 && call % every === 0 ? "UNAVAILABLE" : "OK")),
    requestBytes: Int32Array.from(numbers, (call) => 2 ** 31 - 1 - call),
    responseBytes: Int32Array.from(numbers),
    firstByteAtNs: some(ns),
    pauses: some((call) => call),
    queueNs: some((call) => BigInt(call)),
    serviceNs: some((call) => BigInt(call) * 2n),
  };
}

function write(rounds: readonly SampleRows[]): void {
  const writer = new SamplesWriter(path);
  for (const rows of rounds) writer.write(rows);
  writer.close();
}

/** The calls as objects: what stands in them, whatever columns there are. */
function callsIn(samples: Samples): readonly object[] {
  return Array.from({ length: samples.length }, (_, row) => ({
    arm: samples.arm[row],
    place: [samples.round[row], samples.block[row], samples.task[row], samples.step[row]],
    times: [samples.intendedAtNs[row], samples.startedAtNs[row], samples.endedAtNs[row]],
    outcome: samples.outcomes[samples.outcome[row] ?? 0],
    bytes: [samples.requestBytes[row], samples.responseBytes[row]],
    partial: [samples.firstByteAtNs, samples.pauses, samples.queueNs, samples.serviceNs].map(
      (column) => column?.[row] ?? Number.NaN,
    ),
  }));
}

async function partsOf(file: string): Promise<readonly (readonly object[])[]> {
  const parts: (readonly object[])[] = [];
  for await (const part of samplesInParts(file, armIds)) parts.push(callsIn(part));
  return parts;
}

describe("samples that are read in parts", () => {
  it("are those of the whole file, a round in each part", async () => {
    const round = fc.record({ length: fc.integer({ min: 1, max: 60 }), every: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
        write(rounds.map(({ length, every }, index) => rowsOf(index, length, every)));
        const parts = await partsOf(path);
        expect(parts.flat()).toEqual(callsIn(await readSamples(path, armIds)));
        expect(parts.map((part) => part.length)).toEqual(
          rounds.length === 0 ? [0] : rounds.map(({ length }) => length),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("hold a round whole that takes several row groups, and rounds together that are mixed in the file", async () => {
    const long = 2 ** 17 + 10;
    write([rowsOf(0, long, 0), rowsOf(1, 7, 2)]);
    expect((await partsOf(path)).map((part) => part.length)).toEqual([long, 7]);
    write([rowsOf(0, 5, 1), rowsOf(2, 6, 0), rowsOf(1, 7, 2), rowsOf(2, 8, 0), rowsOf(3, 9, 3)]);
    expect((await partsOf(path)).map((part) => part.length)).toEqual([5, 6 + 7 + 8, 9]);
  });

  it("are times to the nanosecond as far as a double has them, also before the start", async () => {
    write([rowsOf(0, 3, 0)]);
    const { intendedAtNs } = await readSamples(path, armIds);
    expect([...intendedAtNs]).toEqual([-5, 4_294_967_292, 8_589_934_589]);
  });

  it("are refused with the row of an arm that the run does not have", async () => {
    write([rowsOf(0, 3, 0), rowsOf(1, 3, 0)]);
    const reading = Array.fromAsync(samplesInParts(path, ["one", "other"]));
    await expect(reading).rejects.toThrow(/row 2 belongs to the unknown arm "third"/);
  });
});
