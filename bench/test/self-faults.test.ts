// What the measure of faults counts as wrong.
import { describe, expect, it } from "vitest";
import { faultsFrom } from "../self/faults/fault.ts";
import { undocumentedExit, judgedMeans, meanRanges, wrongFiguresOf } from "../self/faults/one-try.ts";
import { type BenchEnd, type FaultedRun } from "../self/faults/short-bench.ts";

function kept(meanMs: number, more: Partial<FaultedRun> = {}): FaultedRun {
  return {
    warnings: [{ code: "few-rounds" }],
    standingStill: [],
    meanMs: new Map([["rest", meanMs]]),
    ...more,
  };
}

const ranges = meanRanges([kept(0.5), kept(0.8)]);
const wrongIn = (run: FaultedRun): readonly string[] => wrongFiguresOf(judgedMeans(run), ranges);

describe("faults", () => {
  it("come in every kind equally often, at moments of the run, the same for a seed", () => {
    const faults = faultsFrom(7, 24, 1_000);
    expect(new Set(faults.map(({ signal, victim }) => `${signal} ${victim}`)).size).toBe(12);
    expect(faults.every(({ atMs }) => atMs >= 0 && atMs <= 1_000)).toBe(true);
    expect(faultsFrom(7, 24, 1_000)).toEqual(faults);
    expect(faultsFrom(8, 24, 1_000)).not.toEqual(faults);
  });

  it("make a figure silently wrong that is far off in a run which reports nothing", () => {
    expect(wrongIn(kept(9))).toEqual(["rest took 9.00 ms"]);
    expect(wrongIn(kept(0.05))).toEqual(["rest took 0.05 ms"]);
    expect(wrongIn(kept(1.5))).toEqual([]);
  });

  it.each<Partial<FaultedRun>>([
    { warnings: [{ code: "few-slow-calls", armId: "rest" }] },
    { standingStill: ["rest"] },
    { meanMs: new Map() },
  ])("make no figure silently wrong in a run with %j", (more) => {
    expect(wrongIn(kept(80, more))).toEqual([]);
  });

  it.each<Partial<FaultedRun>>([
    { warnings: ["busy", "drift", "left-out", "unsettled", "interrupted"].map((code) => ({ code })) },
    { warnings: ["server-died", "client-died", "round-lost"].map((code) => ({ code })) },
    // It was measured again, and no figure may include it.
    { warnings: [{ code: "stood-still", armId: "rest" }] },
    { standingStill: ["floor"] },
  ])("make a figure silently wrong in a run with %j, which does not explain it", (more) => {
    expect(wrongIn(kept(80, more))).toEqual(["rest took 80.00 ms"]);
  });

  it.each<readonly [string, Partial<BenchEnd>, boolean]>([
    ["SIGINT", { status: 130 }, true],
    ["SIGINT", { status: 0 }, true],
    ["SIGINT", { status: 70 }, false],
    ["SIGTERM", { status: null, signal: "SIGTERM" }, true],
    ["SIGKILL", { status: null, signal: "SIGKILL" }, true],
    ["SIGSTOP", { status: 130 }, false],
    ["SIGINT", { status: 130, stderr: "Error: no\n    at run (file.ts:1:1)\n" }, false],
  ])("allow %s to the program to end with %j: %j", (signal, end, isAllowed) => {
    const fault = { signal: signal as "SIGINT", victim: "program", atMs: 0 } as const;
    expect(undocumentedExit(fault, { status: 0, signal: null, stderr: "", ...end }) === undefined).toBe(isAllowed);
  });

  it("allow the loss of a server to end the program, and no other status", () => {
    const fault = { signal: "SIGKILL", victim: "server", atMs: 0 } as const;
    expect(undocumentedExit(fault, { status: 69, signal: null, stderr: "" })).toBeUndefined();
    expect(undocumentedExit(fault, { status: 70, signal: null, stderr: "roundtrip: no\n" })).toBe(
      "ended with status 70: roundtrip: no",
    );
  });
});
