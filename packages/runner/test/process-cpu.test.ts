// CPU time as the kernel counts it, held against what a process with several busy threads says of itself.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { cpuMsOf, readSchedstat } from "../src/evidence/process-cpu.ts";
import { SessionCpu } from "../src/lifetime/session-processes.ts";

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
});

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
