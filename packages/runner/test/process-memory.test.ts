// Memory figures held against what the kernel says of the same real processes, read from outside, and against what a program is known to take.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RunFacts } from "@roundtrip/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { type MeasureOptions } from "../src/index.ts";
import { peakBytesOf, residentBytesOf, watchMemory } from "../src/evidence/process-memory.ts";
import { ProcessWatch } from "../src/evidence/process-watch.ts";
import { greeterCommand } from "./support/services.ts";
import { shortRun, shortStudies, single, measureAndRead } from "./support/short-run.ts";

const mebibyte = 2 ** 20;

/** Takes 64 MiB of pages for each line that it reads, touches and gives them back, and says so. */
const program = `
process.stdin.on("data", () => {
  let pages = Buffer.alloc(64 * 2 ** 20, 1);
  pages = undefined;
  gc();
  setTimeout(() => { gc(); console.log("back"); }, 50);
});
console.log("ready");
`;

/** By the pages that the kernel lists one by one: slow, and exact. */
function mappedBytes(pid: number): number {
  const [, kib] = /^Rss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return 1_024 * Number(kib);
}

describe("a process that takes 64 MiB and gives them back", await needing("kernel-counts"), () => {
  let child: ChildProcess;
  let pid: number;
  const answer = (): Promise<unknown> => once(child.stdout ?? child, "data");
  beforeAll(async () => {
    child = spawn(process.execPath, ["--expose-gc", "-e", program], { stdio: ["pipe", "pipe", "ignore"] });
    pid = child.pid ?? 0;
    await answer();
  });
  afterAll(() => child.kill("SIGKILL"));

  it("has the resident memory of its pages, within 2 %", () => {
    expect(Math.abs((residentBytesOf([pid]) ?? 0) / mappedBytes(pid) - 1)).toBeLessThan(0.02);
    const twice = residentBytesOf([pid, pid]) ?? 0;
    expect(Math.abs(twice / (2 * mappedBytes(pid)) - 1)).toBeLessThan(0.02);
  });

  it("has a peak for each time that it is watched, and not that of all its life", async () => {
    const before = mappedBytes(pid);
    const busy = watchMemory([pid]);
    child.stdin?.write("take\n");
    await answer();
    const peakBytes = busy()?.peakBytes ?? 0;
    expect(peakBytes).toBeGreaterThan(before + 63 * mebibyte);
    const quiet = watchMemory([pid])();
    expect(peakBytesOf([pid])).toBeLessThan(peakBytes - 32 * mebibyte);
    expect(quiet?.peakBytes).toBeLessThan(peakBytes - 32 * mebibyte);
    expect(quiet?.peakBytes).toBeGreaterThanOrEqual(quiet?.residentBytes ?? Infinity);
  });
});

it("memory is unknown without the kernel's files, and of a process that has ended", async () => {
  const nowhere = "/nowhere/proc";
  expect(residentBytesOf([process.pid], nowhere)).toBeUndefined();
  expect(watchMemory([process.pid], nowhere)()).toBeUndefined();
  // A target has no process here.
  expect(watchMemory([])()).toBeUndefined();
  const ended = spawn(process.execPath, ["-e", ""]);
  await once(ended, "exit");
  expect(watchMemory([ended.pid ?? 0])()).toBeUndefined();
});

it("a watched process has what it allocated, collected or not", () => {
  const watch = new ProcessWatch();
  const pattern = Array.from({ length: 100 }, (_, index) => index + 0.5);
  const copies = 100_000;
  let last: readonly number[] = [];
  watch.begin();
  for (let made = 0; made < copies; made += 1) last = pattern.slice();
  const { allocatedBytes = 0, gcCount } = watch.end();
  expect(last).toEqual(pattern);
  expect(gcCount).toBeGreaterThan(0);
  // 100 numbers of 8 bytes each, and headers.
  expect(allocatedBytes / copies).toBeGreaterThan(800);
  expect(allocatedBytes / copies).toBeLessThan(900);
});

async function factsOf(changes: Partial<MeasureOptions>): Promise<RunFacts> {
  const studies = shortStudies({ variants: { single } });
  const options = await shortRun({ rounds: 1, stackNames: ["rest-node-http"], studies, ...changes });
  return (await measureAndRead(options)).facts;
}

describe("the facts of a run", await needing("kernel-counts"), () => {
  it("have the memory of both ends of each block, and of each stack in each round", async () => {
    const { blocks, memory = [] } = await factsOf({});
    for (const { serverMemory, clientMemory, server, client } of blocks) {
      for (const end of [serverMemory, clientMemory]) {
        expect(end?.residentBytes).toBeGreaterThan(30 * mebibyte);
        expect(end?.peakBytes).toBeGreaterThanOrEqual(end?.residentBytes ?? Infinity);
      }
      expect(server?.allocatedBytes).toBeGreaterThan(0);
      expect(client?.allocatedBytes).toBeGreaterThan(0);
    }
    expect(memory.map(({ armIds }) => armIds)).toEqual([[blocks[0]?.armId]]);
    for (const { heapBytes = 0, warmBytes } of memory.flatMap(({ server, client }) => [server, client])) {
      expect(heapBytes).toBeGreaterThan(mebibyte);
      expect(warmBytes).toBeGreaterThan(heapBytes);
    }
  });

  it("have of a program only what the kernel counts, over all its processes", async () => {
    // The program that is named only starts the server.
    const { blocks, memory } = await factsOf({ commands: new Map([["rest-node-http", greeterCommand("--behind")]]) });
    for (const { serverMemory, server } of blocks) {
      expect(serverMemory?.residentBytes).toBeGreaterThan(2 * 30 * mebibyte);
      expect(server).toBeUndefined();
    }
    expect(memory).toMatchObject([
      { server: { warmBytes: expect.any(Number) }, client: { heapBytes: expect.any(Number) } },
    ]);
    expect(memory?.[0]?.server.heapBytes).toBeUndefined();
  });
});
