// The size limits of a log.
import { builtInContract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { CallLog, type KeptRecord, LogMemory } from "../../src/log/call-log.ts";

const contract = builtInContract();

function record(index: number, keptBytes = 0): KeptRecord {
  return {
    index,
    session: "",
    server: "memory",
    style: "memory",
    client: "",
    forwardedTo: "",
    operation: "acme.v1.Library.GetBook",
    headers: {},
    requests: [],
    responses: [],
    omittedMessages: 0,
    answerHeaders: {},
    nearStubs: [],
    ignoredFields: [],
    outcome: "OK",
    message: "",
    cause: "",
    details: {},
    requestBytes: 0,
    responseBytes: 0,
    roundTrip: index,
    startedAt: 0,
    durationMs: 0,
    keptBytes,
  };
}

function fill(log: CallLog, count: number, keptBytes = 0): void {
  for (let index = 1; index <= count; index += 1) log.add(record(index, keptBytes));
}

function indices(log: CallLog): number[] {
  return log.records.map(({ index }) => index);
}

describe("a log", () => {
  it("lists calls in the order in which they began", () => {
    const log = new CallLog(contract);
    for (const index of [2, 3, 1]) log.add(record(index));
    expect(indices(log)).toEqual([1, 2, 3]);
  });

  it("keeps the latest calls, up to its maximum count", () => {
    const log = new CallLog(contract, { maxRecords: 3, maxBytes: 1_000_000 });
    fill(log, 1_000);
    expect(indices(log)).toEqual([998, 999, 1_000]);
    expect(log.dropped).toBe(997);
  });

  it("keeps the latest calls, up to its maximum size", () => {
    const log = new CallLog(contract, { maxRecords: 1_000, maxBytes: 100_000 });
    fill(log, 100, 30_000);
    expect(indices(log)).toEqual([98, 99, 100]);
    expect(log.keptBytes).toBeLessThanOrEqual(100_000);
  });
});

describe("several logs that share their memory", () => {
  it("drop the oldest calls of the largest log when the memory is full", () => {
    const memory = new LogMemory(1_000_000);
    const limits = { maxRecords: 10_000, maxBytes: Infinity };
    const [quiet, busy] = [new CallLog(contract, limits, { memory }), new CallLog(contract, limits, { memory })];
    fill(quiet, 10, 1_000);
    fill(busy, 5_000, 1_000);
    expect(quiet.records).toHaveLength(10);
    expect(indices(busy).at(-1)).toBe(5_000);
    expect(quiet.keptBytes + busy.keptBytes).toBeLessThanOrEqual(1_000_000);
    expect(busy.records.length).toBeGreaterThan(300);
  });

  it("can use the memory of a removed log", () => {
    const memory = new LogMemory(100_000);
    const limits = { maxRecords: 10_000, maxBytes: Infinity };
    const [gone, staying] = [new CallLog(contract, limits, { memory }), new CallLog(contract, limits, { memory })];
    fill(gone, 50, 1_000);
    memory.leave(gone);
    fill(staying, 60, 1_000);
    expect(staying.records).toHaveLength(60);
    expect(gone.records).toHaveLength(50);
    // A call in flight may still end in it.
    fill(gone, 100, 1_000);
    expect(staying.records).toHaveLength(60);
  });
});
