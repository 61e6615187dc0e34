// The CPU time of a cell of k6: between two readings of the kernel's counters, if a busy machine makes them in time.
import { cpuMsOf } from "@roundtrip/runner/parts";
import { expect, it } from "vitest";
import { watchCells, type WatchedCell } from "../../src/engine/run-plan.ts";
import type { CellUsage } from "../../src/engine/log-round.ts";

/** This process stands for the server and for k6. */
const pair: WatchedCell["pair"] = {
  endedProcess: () => Promise.resolve(undefined),
  watch: () => Promise.resolve(),
  serverCpuMs: () => Promise.resolve(cpuMsOf(process.pid) ?? null),
  watched: () => Promise.resolve(undefined),
};

function cellAt(beginsMs: number, mostMs = 400): WatchedCell {
  const times = { startsMs: beginsMs - 100, beginsMs, mostMs, arrivalsMs: null, pausesMs: null };
  return { pair, cell: { name: "c0000", armId: "arm", block: 0, tasks: 1, callers: 1, ...times } };
}

function computeUntil(ms: number): void {
  while (Date.now() < ms);
}

async function usageOf(cells: readonly WatchedCell[], t0Ms: number): Promise<readonly (CellUsage | undefined)[]> {
  const { signal } = new AbortController();
  const { evidence } = await watchCells({ cells, t0Ms, pids: [process.pid], cores: 1, mayBegin: () => true, signal });
  return cells.map((_, index) => evidence.get(index));
}

it("is what the processes used in it", async () => {
  const t0Ms = Date.now();
  const begun = process.cpuUsage();
  setTimeout(() => {
    while (process.cpuUsage(begun).user < 100_000);
  }, 200);
  const [usage] = await usageOf([cellAt(100, 2_000)], t0Ms);
  expect(usage?.serverCpuMs).toBeGreaterThan(50);
  expect(usage?.clientCpu?.ms).toBeGreaterThan(50);
});

it("is unknown if the counters were read after the cell's begin", async () => {
  const t0Ms = Date.now();
  const usage = usageOf([cellAt(100)], t0Ms);
  setImmediate(() => computeUntil(t0Ms + 250));
  expect(await usage).toMatchObject([{ serverCpuMs: null, clientCpu: null }]);
});
