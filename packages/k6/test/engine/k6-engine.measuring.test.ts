// Runs whose calls the real k6 makes: whole, interrupted, and with an instance that is killed. What was measured is kept in each case.
import { readdirSync, readFileSync } from "node:fs";
import type { RunFacts } from "@roundtrip/runs";
import { measureRun, type MeasureOptions, type Progress } from "@roundtrip/runner";
import { readRun } from "@roundtrip/runs/read";
import { beforeAll, describe, expect, it } from "vitest";
import { k6Here, withK6 } from "../support/script-runs.ts";
import { shortK6Run } from "../support/short-study.ts";

const never = new AbortController().signal;
const blocksOnStack = 5;

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

/** Sends one of them a signal. */
const signalOne = (signal: "SIGKILL" | "SIGSTOP") => (): void => {
  const [first] = k6Processes();
  if (first === undefined) throw new Error("no k6 runs");
  process.kill(first, signal);
};

/**
 * So many blocks the run says to have left out of a round. A generator that was kept from its processor for long is late, and what it did is void, as it has to
 * be: where others burn the processors meanwhile, tests meet it.
 */
function voidBlocks({ events }: RunFacts, round: number): number {
  const lost = events.find((event) => event.kind === "void-calls" && event.round === round);
  return lost?.kind === "void-calls" ? lost.blocks.length : 0;
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

describe("a run by two instances of k6", { timeout: 120_000, ...withK6 }, () => {
  let options: MeasureOptions;
  let facts: RunFacts;
  beforeAll(async () => {
    options = await shortK6Run(2);
    facts = await measureRun(options, never, () => undefined);
  }, 120_000);

  it("reports every block, or that it is void", () => {
    expect(facts).toMatchObject({ status: "complete", roundsDone: 1, verification: { agreed: true } });
    expect(facts.blocks.length + voidBlocks(facts, 0)).toBe(2 * blocksOnStack);
    expect(facts.blocks.length).toBeGreaterThan(blocksOnStack);
  });

  it("has every call of a block once, with when it was meant, and says who made it", async () => {
    expect(facts.environment.generators).toEqual(
      ["0:1/2", "1/2:1"].map((segment) => ({ name: "k6", version: k6Here?.version, segment })),
    );
    const { samples } = await readRun(options.directory);
    const callsPerTask = new Map(facts.arms.map((arm) => [arm.id, arm.callsPerTask]));
    const calls = facts.blocks.map(({ armId, tasks }) => tasks * (callsPerTask.get(armId) ?? 0));
    expect(facts.blocks.map((block) => block.calls)).toEqual(calls);
    expect(samples.length).toBe(calls.reduce((sum, count) => sum + count, 0));
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
    const arrivals = facts.arms.filter(({ task, stack }) => task === "arrivals" && stack === "grpc-js");
    // Null where a busy machine read the counters too late.
    expect(facts.blocks.filter(({ clientCpuMs }) => clientCpuMs !== null)).not.toEqual([]);
    for (const { armId, clientCpuMs, serverCpuMs, wireBytes, calls, connectionsReused } of facts.blocks) {
      expect(clientCpuMs ?? 1).toBeGreaterThan(0);
      expect(serverCpuMs ?? 1).toBeGreaterThan(0);
      expect(connectionsReused).toBeUndefined();
      // Each of their virtual users connects for the one call that it makes: over HTTP/2 nothing shows the call's own bytes.
      if (wireBytes === null && arrivals.some(({ id }) => id === armId)) continue;
      expect((wireBytes ?? 0) / calls).toBeGreaterThan(50);
      expect((wireBytes ?? 0) / calls).toBeLessThan(2_000);
    }
    expect(k6Processes()).toEqual([]);
  });
});

describe("a run by k6 that does not come to its end", { timeout: 120_000, ...withK6 }, () => {
  const stackNames = ["rest-express"];

  it("keeps the blocks before an interrupt, and leaves no process", async () => {
    const options = await shortK6Run(2, { stackNames });
    const stop = new AbortController();
    const facts = await measureRun(
      options,
      stop.signal,
      afterShare(0.5, () => stop.abort()),
    );
    expect(facts.status).toBe("interrupted");
    expect(facts.blocks.length).toBeGreaterThanOrEqual(1);
    expect(facts.blocks.length).toBeLessThan(blocksOnStack);
    expect(facts.events.map(({ kind }) => kind)).not.toContain("void-calls");
    const { samples } = await readRun(options.directory);
    expect(samples.length).toBe(facts.blocks.reduce((sum, { calls }) => sum + calls, 0));
    expect(k6Processes()).toEqual([]);
  });

  it("keeps the blocks before an instance was killed, and goes on with the next round", async () => {
    const options = await shortK6Run(2, { stackNames, rounds: 2 });
    const facts = await measureRun(options, never, afterShare(0.25, signalOne("SIGKILL")));
    expect(facts.status).toBe("complete");
    const first = facts.blocks.filter(({ round }) => round === 0);
    expect(first.length).toBeGreaterThanOrEqual(1);
    expect(first.length).toBeLessThan(blocksOnStack);
    expect(facts.blocks.length - first.length + voidBlocks(facts, 1)).toBe(blocksOnStack);
    expect(facts.events).toContainEqual({
      kind: "generator-ended",
      round: 0,
      end: expect.objectContaining({ name: expect.stringMatching(/^k6 instance [12] of 2$/), signal: "SIGKILL" }),
    });
    for (const { calls, failedCalls } of facts.blocks) expect([calls % 10, failedCalls]).toEqual([0, 0]);
  });

  it("does not begin with more instances than there are callers", async () => {
    const options = await shortK6Run(3, { stackNames });
    const studies = options.studies.map((study) => ({ ...study, tasks: study.tasks.slice(0, 1) }));
    await expect(measureRun({ ...options, studies }, never, () => undefined)).rejects.toMatchObject({
      code: "bad-plan",
      message: "3 instances of k6 need as many callers, but there is one caller at a time; give --engine k6=1",
    });
  });
});
