// CPU time as the kernel counts it, held against what a process with several busy threads says of itself.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import type { Child } from "../src/processes/child.ts";
import { cpuMsOf, readSchedstat, usedMs } from "../src/evidence/process-cpu.ts";
import { childCpuMs } from "../src/processes/child.ts";
import { killSession, SessionCpu } from "../src/lifetime/session-processes.ts";

const counted = await needing("kernel-counts");

/** Two threads, each of which has had 40 ms of a core when this process says what all have had. */
const program = `
const { Worker } = require("node:worker_threads");
const busy = "const until = process.threadCpuUsage().user + 40_000; while (process.threadCpuUsage().user < until);";
const keeps = "require('node:worker_threads').parentPort.postMessage(0); setInterval(() => {}, 1e3)";
let left = 2;
const said = () => {
  left -= 1;
  const { user, system } = process.cpuUsage();
  if (left === 0) console.log((user + system) / 1e3);
};
for (let worker = 0; worker < 2; worker += 1) new Worker(busy + keeps, { eval: true }).once("message", said);
`;

describe("a process with two busy threads", counted, () => {
  let child: ChildProcess;
  let saidMs: number;
  let pid: number;
  beforeAll(async () => {
    const started = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    child = started;
    pid = started.pid ?? 0;
    saidMs = await new Promise((resolve) =>
      started.stdout.once("data", (text: Buffer) => resolve(Number(String(text)))),
    );
  });
  afterAll(() => child.kill("SIGKILL"));

  it("has the CPU time of all its threads, and not only its first one's", () => {
    const { ranMs: mainMs } = readSchedstat(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8"));
    expect(saidMs).toBeGreaterThanOrEqual(mainMs + 79);
    expect(cpuMsOf(pid)).toBeGreaterThanOrEqual(mainMs + 79);
    // Threads that had ended by then are in what it says, and not among those that are there.
    expect(cpuMsOf(pid)).toBeGreaterThanOrEqual(0.95 * saidMs);
  });

  it("has the same in the session that it leads", () => {
    expect(new SessionCpu(pid).cpuMs()).toBeGreaterThanOrEqual(0.95 * saidMs);
    expect(new SessionCpu(pid).pids).toEqual([pid]);
  });
});

/** A process of the run that says this when it is asked. */
function saying(pid: number | undefined, cpuMs: number): Pick<Child, "pid" | "ask"> {
  return { pid, ask: <A>() => Promise.resolve({ cpuMs } as A) };
}

it("a process is not asked for its CPU time where the kernel counts it", counted, async () => {
  expect(await childCpuMs(saying(process.pid, -1))).toBeGreaterThan(0);
});

it("a process reports its user and system CPU time in ms", () => {
  expect(usedMs({ user: 3_500, system: 2_000 })).toBe(5.5);
});

it("a process that the kernel does not count is asked for its CPU time", async () => {
  expect(await childCpuMs(saying(undefined, 7))).toBe(7);
  expect(cpuMsOf(0)).toBeUndefined();
});

it(
  "a session has the CPU time of processes in it that have ended too, once they were waited for",
  counted,
  async () => {
    const burn = "while (process.cpuUsage().user < 600_000); const { user, system } = process.cpuUsage();";
    const says = "console.log((user + system) / 1000);";
    const leader = spawn("sh", ["-c", '"$0" -e "$1"; echo ended; sleep 60', process.execPath, burn + says], {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    try {
      const lines = createInterface(leader.stdout)[Symbol.asyncIterator]();
      const said = Number((await lines.next()).value);
      await lines.next();
      const cpuMs = new SessionCpu(leader.pid ?? 0).cpuMs() ?? Number.NaN;
      // Counted in ticks of 10 ms, for the program and the system each; the program has to end after it has said so.
      expect(cpuMs).toBeGreaterThanOrEqual(said - 20);
      expect(cpuMs).toBeLessThanOrEqual(said + 50);
    } finally {
      killSession(leader.pid ?? 0);
    }
  },
);

/** A thread that has had 40 ms of a core ends when a line is sent. */
const endingThread = `
const { Worker } = require("node:worker_threads");
const busy = "const until = process.threadCpuUsage().user + 40_000; while (process.threadCpuUsage().user < until);";
const keeps = "require('node:worker_threads').parentPort.postMessage(0); setInterval(() => {}, 1e3)";
const worker = new Worker(busy + keeps, { eval: true }).once("message", () => console.log());
process.stdin.once("data", () => worker.terminate().then(() => console.log()));
`;

it(
  "a session keeps the CPU time of a thread that has ended, so that a block never costs less than nothing",
  counted,
  async () => {
    const child = spawn(process.execPath, ["-e", endingThread], { stdio: ["pipe", "pipe", "ignore"], detached: true });
    const line = (): Promise<unknown> => new Promise((resolve) => child.stdout.once("data", resolve));
    try {
      await line();
      const session = new SessionCpu(child.pid ?? 0);
      const before = session.cpuMs() ?? Number.NaN;
      const ended = line();
      child.stdin.write("\n");
      await ended;
      expect(session.cpuMs()).toBeGreaterThanOrEqual(before);
    } finally {
      child.kill("SIGKILL");
    }
  },
);
