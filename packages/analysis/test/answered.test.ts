// Figures per second and per task are of answered calls, and what failed beside them is paid for by them.
import { expect, it } from "vitest";
import { blockMetrics } from "../src/metrics/metrics.ts";
import { loadedBlock } from "./synthetic-run.ts";

const block = loadedBlock({ armId: "a", block: 0, tasks: 100, serverCpuMs: 30, clientCpuMs: 60, wireBytes: 900 });

function meansOf(failedCalls: number): Readonly<Record<string, number | undefined>> {
  const rows = blockMetrics("a", [0], [{ ...block, failedCalls }], [], []);
  return Object.fromEntries(rows.map(({ metric, sorted }) => [metric, sorted[0]]));
}

it("counts no call that failed among those of a second, and lets answered tasks bear what it cost", () => {
  // Half a second: 200 calls a second when all are answered.
  expect(meansOf(0)).toMatchObject({ callsPerSecond: 200, serverCpuMsPerTask: 0.3, wireBytesPerTask: 9 });
  expect(meansOf(40)).toMatchObject({
    callsPerSecond: 120,
    serverCpuMsPerTask: 0.5,
    clientCpuMsPerTask: 1,
    wireBytesPerTask: 15,
    callsPerTask: 1,
  });
});

it("has no cost of a task where none was answered, and says so by leaving it out", () => {
  expect(meansOf(100)).toMatchObject({ callsPerSecond: 0 });
  expect(Object.keys(meansOf(100))).not.toContain("serverCpuMsPerTask");
});
