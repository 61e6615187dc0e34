// What the kernel counts of processes and of the machine: its texts, the arithmetic, and real processes that share a core with a burner.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { BlockCounters } from "../src/evidence/block-counters.ts";
import { MachineCounters, readAllowedCores, readStat } from "../src/evidence/machine-counters.ts";
import { pin } from "../src/processes/cores.ts";
import {
  lostMsBetween,
  ranMsBetween,
  processTimes,
  readSchedstat,
  usedMs,
  type ProcessTimes,
} from "../src/evidence/process-cpu.ts";

const stat = `cpu  400 20 100 9000 10 5 15 30 7 0
cpu0 100 10 50 4000 5 2 8 10 7 0
cpu1 300 10 50 5000 5 3 7 20 0 0
cpu10 9 9 9 9 9 9 9 9 0 0
intr 1 2 3
`;

describe("the kernel's text of", () => {
  it("a machine counts user, nice, system and interrupts as busy, in ms, and steal of each core", () => {
    expect(readStat(stat, new Set([0, 1]))).toEqual({ cores: 2, busyMs: 1_700 + 3_700, stealMs: [100, 200] });
  });

  it("a machine is read for the cores that the run may use, or for all", () => {
    expect(readStat(stat, new Set([1]))).toEqual({ cores: 1, busyMs: 3_700, stealMs: [200] });
    expect(readStat(stat)).toMatchObject({ cores: 3 });
    expect(readStat("no such thing", new Set([0]))).toBeUndefined();
    expect(readStat(stat, new Set([7]))).toBeUndefined();
  });

  it("a process says which cores it may use", () => {
    expect(readAllowedCores("Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t0-2,6\n")).toEqual(
      new Set([0, 1, 2, 6]),
    );
    expect(readAllowedCores("Name:\tnode\n")).toBeUndefined();
  });

  it("a thread says how long it ran and how long it waited", () => {
    expect(readSchedstat("1500000 250000 12\n")).toEqual({ ranMs: 1.5, waitedMs: 0.25 });
  });
});

/** `[ran, waited]` in ms of each thread. */
function times(threads: Readonly<Record<string, readonly [number, number]>>): ProcessTimes {
  return new Map(
    Object.entries(threads).map(([thread, [ranMs, waitedMs]]) => [
      thread,
      { ranMs, waitedMs, isHelper: thread === "helper" },
    ]),
  );
}

describe("what a process lost to others", () => {
  it("is what its thread waited", () => {
    expect(lostMsBetween(times({ main: [10, 5] }), times({ main: [20, 12] }))).toBe(7);
  });

  it("leaves out what its own threads may have taken, and what others of the run may have", () => {
    const before = times({ main: [0, 0], collector: [0, 0] });
    const after = times({ main: [20, 12], collector: [9, 15] });
    expect(lostMsBetween(before, after)).toBe(3);
    expect(lostMsBetween(before, after, 2)).toBe(1);
    expect(lostMsBetween(before, after, 50)).toBe(0);
  });

  it("is not what V8's helpers waited, for which no call waits", () => {
    const after = times({ main: [20, 12], helper: [9, 90] });
    expect(lostMsBetween(times({ main: [0, 0], helper: [0, 0] }), after)).toBe(3);
    expect(ranMsBetween(times({}), after, "helpers")).toBe(9);
  });
});

it("a platform without these files has no values", () => {
  const nowhere = "/nowhere/proc";
  expect(processTimes([process.pid], nowhere)).toBeUndefined();
  expect(new MachineCounters(nowhere).times()).toBeUndefined();
  expect(new MachineCounters(nowhere).waiting()).toBeUndefined();
  const processes = { server: [process.pid], client: [process.pid] };
  expect(new BlockCounters(nowhere).open(processes, { isAlone: true, sharesCore: false })()).toEqual({});
});

function ticksOf(user: number, steal: number): string {
  return `${user} 0 0 0 0 0 0 ${steal}`;
}

const helper = "7/task/8";

/** Of a server with a helper and of a client: what each ran and waited, in ns. */
function threadsOf(server: string, collector: string, client: string) {
  return { "7/task/7": server, [helper]: collector, "9/task/9": client };
}

describe("the books of a block", () => {
  const proc = mkdtempSync(join(tmpdir(), "roundtrip-proc-"));
  afterAll(() => rmSync(proc, { recursive: true }));

  /** Writes what the kernel has counted by now. */
  function count(cores: readonly string[], threads: Readonly<Record<string, string>>, running: number): void {
    mkdirSync(join(proc, "self"), { recursive: true });
    writeFileSync(join(proc, "self/status"), "Cpus_allowed_list:\t0-1\n");
    writeFileSync(join(proc, "stat"), cores.map((ticks, core) => `cpu${core} ${ticks}\n`).join(""));
    writeFileSync(join(proc, "loadavg"), `0.1 0.1 0.1 ${running}/99 1\n`);
    for (const [thread, ranAndWaitedNs] of Object.entries(threads)) {
      mkdirSync(join(proc, thread), { recursive: true });
      writeFileSync(join(proc, thread, "schedstat"), `${ranAndWaitedNs} 1\n`);
      writeFileSync(join(proc, thread, "comm"), thread === helper ? "V8Worker\n" : "MainThread\n");
    }
  }

  function booksOf(sharesCore: boolean, isAlone = true) {
    count([ticksOf(100, 5), ticksOf(200, 6)], threadsOf("5000000 1000000", "1000000 0", "2000000 3000000"), 1);
    const processes = { server: [7], client: [9] };
    const beganAtMs = performance.now();
    const ownBefore = process.cpuUsage();
    const close = new BlockCounters(proc).open(processes, { isAlone, sharesCore });
    count([ticksOf(110, 7), ticksOf(230, 5)], threadsOf("45000000 31000000", "4000000 0", "12000000 18000000"), 4);
    const evidence = close();
    const tookMs = performance.now() - beganAtMs;
    return { ...evidence, tookMs, readerMs: usedMs(process.cpuUsage(ownBefore)) };
  }

  it("are what each process lost, and what the machine was busy with, stolen time of the worst core apart", () => {
    const { serverLostMs, clientLostMs, machine, tookMs, readerMs } = booksOf(false);
    expect(machine?.watchedMs).toBeGreaterThan(0);
    expect(machine?.watchedMs).toBeLessThanOrEqual(tookMs);
    // 30 and 15 ms of waiting, each less what the server's helper ran, which may have any core.
    expect([serverLostMs, clientLostMs]).toEqual([27, 12]);
    // One core is said to have had less stolen than before.
    expect(machine).toMatchObject({ cores: 2, busyMs: 400, stealMs: 20, mostStolenMs: 20, waiting: 3 });
    expect(machine?.ownMs).toBeGreaterThanOrEqual(43 + 10);
    expect(machine?.ownMs).toBeLessThanOrEqual(43 + 10 + readerMs);
  });

  it("leave out what the other process ran where both may have one core", () => {
    expect(booksOf(true)).toMatchObject({ serverLostMs: 17, clientLostMs: 0 });
  });
});

describe("two processes that burn one core", await needing("kernel-counts", "taskset"), () => {
  const burning: ChildProcess[] = [];
  afterEach(() => burning.splice(0).forEach((child) => child.kill("SIGKILL")));

  /** A process that does nothing else, on a core that another may want too. */
  async function burner(): Promise<number> {
    const [core = 0] = readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [];
    const child = spawn(process.execPath, ["-e", "console.log(); for (;;);"], { stdio: ["ignore", "pipe", "ignore"] });
    burning.push(child);
    pin(child.pid, core);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return child.pid ?? 0;
  }

  it("lose about half of it to each other, and the machine is busy with more than the run", async () => {
    const [own] = await Promise.all([burner(), burner()]);
    const processes = { server: [own], client: [process.pid] };
    const close = new BlockCounters().open(processes, { isAlone: true, sharesCore: false });
    await setTimeout(500);
    const { serverLostMs, machine } = close();
    expect(serverLostMs).toBeGreaterThan(100);
    expect(machine?.watchedMs).toBeGreaterThanOrEqual(499);
    // The other one, at least.
    expect((machine?.busyMs ?? 0) - (machine?.ownMs ?? 0)).toBeGreaterThan(100);
    expect(machine?.waiting).toBeGreaterThanOrEqual(2);
  });
});
