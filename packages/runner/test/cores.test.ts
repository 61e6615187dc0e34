// Who runs where: one core for each side, and all but the client's for servers that compute on threads.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { pin, placements } from "../src/processes/cores.ts";
import { readAllowedCores } from "../src/evidence/machine-counters.ts";

describe("where processes run", () => {
  it("on two cores, threads have the one that the client has not, and the words say that they gain nothing", () => {
    const places = placements([0, 1]);
    expect(places.ofRound(0)).toEqual({ server: 0, client: 1, allButClient: [0] });
    expect(places.ofRound(1)).toEqual({ server: 1, client: 0, allButClient: [1] });
    expect(places.wordsOfThreads).toContain("threads gain nothing here");
  });

  it("on one, is left to the operating system", () => {
    expect(placements([0]).ofRound(0)).toEqual({ server: undefined, client: undefined, allButClient: undefined });
  });
});

/** The cores that the kernel lets each thread of a process have, without V8's helpers or only for them. */
function coresOf(pid: number, isHelper = false): readonly (readonly number[])[] {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"))
    .filter((status) => /^Name:\s*V8Worker$/m.test(status) === isHelper)
    .map((status) => [...(readAllowedCores(status) ?? [])]);
}

describe("a process that is pinned", await needing("taskset", "two-cores"), () => {
  let allowed: readonly number[];
  beforeAll(() => {
    allowed = [...(readAllowedCores(readFileSync("/proc/self/status", "utf8")) ?? [])];
  });

  it("has that core and no other, as the kernel says of each of its threads but V8's helpers, or those that it was given", async () => {
    const program = "new Worker('setInterval(() => {}, 1e3)', { eval: true }).once('online', () => console.log())";
    const child = spawn(process.execPath, ["-e", `const { Worker } = require("node:worker_threads"); ${program}`], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const pid = child.pid ?? 0;
      const [before, ofHelpers] = [coresOf(pid), coresOf(pid, true)];
      expect(ofHelpers.length).toBeGreaterThan(0);
      expect(before.length).toBeGreaterThan(1);
      pin(pid, undefined);
      pin(undefined, allowed[1]);
      expect(coresOf(pid)).toEqual(before);
      pin(pid, allowed[1]);
      expect(coresOf(pid)).toEqual(before.map(() => [allowed[1]]));
      pin(pid, allowed.slice(0, 2));
      expect(coresOf(pid)).toEqual(before.map(() => allowed.slice(0, 2)));
      expect(coresOf(pid, true)).toEqual(ofHelpers.map(() => allowed));
    } finally {
      child.kill("SIGKILL");
    }
  });
});
