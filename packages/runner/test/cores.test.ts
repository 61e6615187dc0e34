// Who runs where: one core for each side, and all but the client's for servers that compute on threads.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { pin, placements, type Placements } from "../src/processes/cores.ts";
import { readAllowedCores } from "../src/evidence/machine-counters.ts";

describe("where processes run", () => {
  it("on two cores, threads have the one that the client has not, and the words say that they gain nothing", () => {
    const places = placements([0, 1]);
    expect(places.ofRound(0)).toEqual({ server: 0, client: 1, allButClient: [0] });
    expect(places.ofRound(1)).toEqual({ server: 1, client: 0, allButClient: [1] });
    expect(places.wordsOfThreads).toContain("threads gain nothing here");
  });

  it("on more, threads have all but the client's in every round, and other servers one", () => {
    const places = placements([0, 2, 3, 5]);
    expect(places.ofRound(0)).toEqual({ server: 0, client: 2, allButClient: [0, 3, 5] });
    expect(places.ofRound(1)).toEqual({ server: 2, client: 0, allButClient: [2, 3, 5] });
    expect(places.wordsOfThreads).toContain("the 3 cores that are not their client's");
  });

  it("on one, is left to the operating system", () => {
    expect(placements([0]).ofRound(0)).toEqual({ server: undefined, client: undefined, allButClient: undefined });
  });
});

/** The cores that the kernel lets each thread of a process have. */
function coresOf(pid: number): readonly (readonly number[])[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => [
    ...(readAllowedCores(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")) ?? []),
  ]);
}

/** The placements where `taskset` prints this list, and ends with this status when it pins. */
function placedBy(list: string, status: number): Placements {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-taskset-"));
  const before = process.env["PATH"];
  try {
    const text = `#!/bin/sh\n[ "$1" = -cp ] && echo "pid 1's current affinity list: ${list}" && exit 0\nexit ${status}\n`;
    writeFileSync(join(folder, "taskset"), text, { mode: 0o755 });
    process.env["PATH"] = `${folder}:${before}`;
    return placements();
  } finally {
    process.env["PATH"] = before;
    rmSync(folder, { recursive: true });
  }
}

describe("the cores of a machine", await needing("taskset", "two-cores"), () => {
  it("are those that this process may use, as ranges and single ones", () => {
    const places = placedBy("2-4,7", 0);
    expect(places.words).toBe("servers and clients pinned to cores 2 and 3, swapped every round");
    expect(places.ofRound(0).allButClient).toEqual([2, 4, 7]);
  });

  it("are left to the operating system where pinning is not possible", () => {
    expect(placedBy("0,1", 1).words).toBe("left to the operating system");
  });
});

describe("a process that is pinned", await needing("taskset", "two-cores"), () => {
  let allowed: readonly number[];
  beforeAll(() => {
    allowed = [...(readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [])];
  });

  it("has that core and no other, as the kernel says of each of its threads, or those that it was given", async () => {
    const program = "new Worker('setInterval(() => {}, 1e3)', { eval: true }).once('online', () => console.log())";
    const child = spawn(process.execPath, ["-e", `const { Worker } = require("node:worker_threads"); ${program}`], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const pid = child.pid ?? 0;
      const before = coresOf(pid);
      expect(before.length).toBeGreaterThan(1);
      pin(pid, undefined);
      pin(undefined, allowed[1]);
      expect(coresOf(pid)).toEqual(before);
      pin(pid, allowed[1]);
      expect(coresOf(pid)).toEqual(before.map(() => [allowed[1]]));
      pin(pid, allowed.slice(0, 2));
      expect(coresOf(pid)).toEqual(before.map(() => allowed.slice(0, 2)));
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("is given the first two cores that this process may use itself", () => {
    const [first, second] = allowed;
    expect(placements().ofRound(0)).toMatchObject({ server: first, client: second });
    expect(placements().ofRound(1)).toMatchObject({ server: second, client: first });
    expect(placements().words).toContain(`cores ${first} and ${second}`);
  });
});
