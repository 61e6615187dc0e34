// What the kernel counts of processes and of the machine: its texts, the arithmetic, and real processes that share a core with a burner.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { BlockBooks } from "../src/evidence/block-books.ts";
import { MachineBooks, readAllowedCores, readRunnable, readStat } from "../src/evidence/machine-books.ts";
import { pin } from "../src/processes/cores.ts";
import { lostMsBetween, processTimes, readSchedstat, type ProcessTimes } from "../src/processes/process-cpu.ts";

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

  it("its load says how many threads run or are ready to", () => {
    expect(readRunnable("13.46 6.31 2.75 11/291 25733\n")).toBe(11);
    expect(readRunnable("")).toBeUndefined();
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
  return new Map(Object.entries(threads).map(([thread, [ranMs, waitedMs]]) => [thread, { ranMs, waitedMs }]));
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

  it("counts a thread that began meanwhile from nothing", () => {
    expect(lostMsBetween(times({ main: [5, 5] }), times({ main: [5, 5], worker: [1, 4] }))).toBe(4);
  });
});

describe("a platform without these files", () => {
  it("has nothing to tell", () => {
    const nowhere = "/nowhere/proc";
    expect(processTimes([process.pid], nowhere)).toBeUndefined();
    expect(new MachineBooks(nowhere).times()).toBeUndefined();
    expect(new MachineBooks(nowhere).waiting()).toBeUndefined();
    const processes = { server: [process.pid], client: [process.pid] };
    expect(new BlockBooks(nowhere).open(processes, { isAlone: true, sharesCore: false })()).toEqual({});
  });
});

const hasBooks = processTimes([process.pid]) !== undefined && new MachineBooks().times() !== undefined;
const [core = 0] = readAllowedCores(hasBooks ? readFileSync("/proc/self/status", "utf8") : "") ?? [];
const canPin = spawnSync("taskset", ["--version"]).status === 0;

describe.skipIf(!hasBooks || !canPin)("two processes that burn one core", () => {
  const burning: ChildProcess[] = [];
  afterEach(() => burning.splice(0).forEach((child) => child.kill("SIGKILL")));

  /** A process that does nothing else, on a core that another may want too. */
  async function burner(): Promise<number> {
    const child = spawn(process.execPath, ["-e", "console.log(); for (;;);"], { stdio: ["ignore", "pipe", "ignore"] });
    burning.push(child);
    pin(child.pid, core);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return child.pid ?? 0;
  }

  it("lose about half of it to each other, and the machine is busy with more than the run", async () => {
    const [own] = await Promise.all([burner(), burner()]);
    const processes = { server: [own], client: [process.pid] };
    const close = new BlockBooks().open(processes, { isAlone: true, sharesCore: false });
    await setTimeout(500);
    const { serverLostMs, machine } = close();
    expect(serverLostMs).toBeGreaterThan(100);
    expect(machine?.watchedMs).toBeGreaterThanOrEqual(499);
    // The other one, at least.
    expect((machine?.busyMs ?? 0) - (machine?.ownMs ?? 0)).toBeGreaterThan(100);
    expect(machine?.waiting).toBeGreaterThanOrEqual(2);
  });

  it("is no loss where the other is the run's own", async () => {
    const [one, other] = await Promise.all([burner(), burner()]);
    const close = new BlockBooks().open({ server: [one], client: [other] }, { isAlone: true, sharesCore: true });
    await setTimeout(500);
    const { serverLostMs, machine } = close();
    expect(serverLostMs).toBeLessThan((machine?.watchedMs ?? 0) - (machine?.ownMs ?? 0) / 2);
  });
});
