// Runs whose calls the real k6 makes: whole, interrupted, and with an instance that is killed. What was measured is kept in each case.
import { readdirSync, readFileSync } from "node:fs";
import type { RunFacts } from "@roundtrip/analysis";
import { linkDefaults, measureRun, readRun, type MeasureOptions, type Progress } from "@roundtrip/runner";
import { beforeAll, describe, expect, it } from "vitest";
import { k6Here } from "../support/k6-here.ts";
import { callsPerRound, shortRun } from "../support/short-study.ts";

const never = new AbortController().signal;
const mostAttempts = 4;

/** The processes of k6 that this one has started. */
function k6Processes(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [name = "", rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
        return name.endsWith("(k6") && Number(rest.split(" ")[1]) === process.pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills one of them. */
function kill(): void {
  process.kill(k6Processes()[0] ?? 0, "SIGKILL");
}

/** Does something once, in the middle of a round: after so many of its blocks. */
function afterShare(share: number, act: () => void): (progress: Progress) => void {
  let isDone = false;
  return ({ done }) => {
    if (isDone || done < share) return;
    isDone = true;
    act();
  };
}

describe.skipIf(k6Here === undefined)("a run by two instances of k6", { timeout: 120_000 }, () => {
  let options: MeasureOptions;
  let facts: RunFacts;
  beforeAll(async () => {
    // A cell in which a generator was late is void, as it has to be: where others burn the processors meanwhile, it is tried again.
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      options = await shortRun(2);
      facts = await measureRun(options, never, () => undefined);
      if (!facts.warnings.some(({ code }) => code === "k6-void")) break;
    }
  }, 180_000);

  it("has every call once, with when it was meant, and says who made it", async () => {
    expect(facts).toMatchObject({ status: "complete", roundsDone: 1, verification: { agreed: true } });
    expect(facts.warnings.map(({ code }) => code)).not.toContain("k6-void");
    expect(facts.environment.generators).toEqual(
      ["0:1/2", "1/2:1"].map((segment) => ({ name: "k6", version: k6Here?.version, segment })),
    );
    const { samples } = await readRun(options.directory);
    expect(samples.length).toBe(2 * callsPerRound);
    expect(samples.outcomes).toEqual(["OK"]);
    const places = Array.from({ length: samples.length }, (_, row) =>
      [samples.arm[row], samples.block[row], samples.task[row], samples.step[row]].join(" "),
    );
    expect(new Set(places).size).toBe(samples.length);
    for (let row = 0; row < samples.length; row += 1) {
      expect(samples.endedAtNs[row]).toBeGreaterThan(samples.startedAtNs[row] ?? Number.POSITIVE_INFINITY);
      expect(samples.startedAtNs[row]).toBeGreaterThanOrEqual((samples.intendedAtNs[row] ?? 0) - 50_000);
    }
  });

  it("knows what both ends spent, and what went over the wire", () => {
    // Two variants in two blocks each, and one block of arrivals, on each stack.
    expect(facts.blocks).toHaveLength(2 * 5);
    for (const { clientCpuMs, serverCpuMs, wireBytes, calls, connectionsReused } of facts.blocks) {
      expect(clientCpuMs).toBeGreaterThan(0);
      expect(serverCpuMs).toBeGreaterThan(0);
      expect(wireBytes / calls).toBeGreaterThan(50);
      expect(wireBytes / calls).toBeLessThan(2_000);
      expect(connectionsReused).toBeUndefined();
    }
    expect(k6Processes()).toEqual([]);
  });
});

describe.skipIf(k6Here === undefined)(
  "a run by k6 that does not come to its end",
  { timeout: 120_000, retry: 2 },
  () => {
    const stackNames = ["rest-express"];

    it("keeps the blocks before somebody interrupted it, and leaves no process", async () => {
      const options = await shortRun(2, { stackNames });
      const stop = new AbortController();
      const facts = await measureRun(
        options,
        stop.signal,
        afterShare(0.5, () => stop.abort()),
      );
      expect(facts.status).toBe("interrupted");
      expect(facts.blocks.length).toBeGreaterThanOrEqual(2);
      expect(facts.blocks.length).toBeLessThan(5);
      expect(facts.warnings.map(({ code }) => code)).not.toContain("k6-void");
      const { samples } = await readRun(options.directory);
      expect(samples.length).toBe(facts.blocks.reduce((sum, { calls }) => sum + calls, 0));
      expect(k6Processes()).toEqual([]);
    });

    it("keeps the blocks before an instance was killed, and goes on with the next round", async () => {
      const options = await shortRun(2, { stackNames, rounds: 2 });
      const facts = await measureRun(options, never, afterShare(0.25, kill));
      expect(facts.status).toBe("complete");
      const first = facts.blocks.filter(({ round }) => round === 0);
      expect(first.length).toBeGreaterThanOrEqual(1);
      expect(first.length).toBeLessThan(5);
      expect(facts.blocks.filter(({ round }) => round === 1)).toHaveLength(5);
      const died = facts.warnings.find(({ code }) => code === "generator-died");
      expect(died?.message).toMatch(/^k6 instance [12] of 2 ended by itself \(SIGKILL\) in round 1: /);
      for (const { calls, failedCalls } of facts.blocks) expect([calls % 10, failedCalls]).toEqual([0, 0]);
    });

    it("says in k6's words what it does not take", async () => {
      const options = await shortRun(1, { stackNames });
      const [study] = options.studies;
      if (study === undefined) throw new Error("no study");
      const studies = [
        { ...study, tasks: study.tasks.map((task) => ({ ...task, links: [{ ...linkDefaults, rttMs: 1 }] })) },
      ];
      await expect(measureRun({ ...options, studies }, never, () => undefined)).rejects.toMatchObject({
        code: "bad-plan",
        message: expect.stringMatching(/^nothing is left to measure: .*k6 calls over the machine's own network/),
      });
    });
  },
);
