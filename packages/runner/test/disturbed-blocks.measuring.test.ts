// Real processes that are stopped in the middle of a block, and cores that somebody else burns: what a run measures again, and what it flags.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import type { Block, RunFacts, Samples } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { measureRun, poisson, type Task } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { fatalFile, stillMs } from "./support/services.ts";
import { serviceHere, shortRun, shortStudies, single } from "./support/short-run.ts";

const never = new AbortController().signal;
const withPgrep = await needing("pgrep");

interface Stopped {
  readonly facts: RunFacts;
  readonly samples: Samples;
}

/** A run of one arm in whose fourth block a process is stopped for a while. */
async function runWith(who: "server" | "client", load: Pick<Task, "load"> = {}): Promise<Stopped> {
  const options = await shortRun({ service: serviceHere("haltingService"), stackNames: ["rest-express"] });
  const studies = shortStudies({ ...load, variants: { single }, tasksPerRound: 60 });
  const fatal = fatalFile(process.pid);
  let reports = 0;
  try {
    await measureRun({ ...options, studies }, never, () => {
      reports += 1;
      if (reports !== 4) return;
      // The newest: what ran before in this process may not be gone yet.
      const args = ["-n", "-P", String(process.pid), "-f", `${who}-process`];
      writeFileSync(fatal, execFileSync("pgrep", args, { encoding: "utf8" }).trim());
    });
  } finally {
    rmSync(fatal, { force: true });
  }
  return readRun(options.directory);
}

function stoodStill(blocks: readonly Block[] = []): readonly Block[] {
  return blocks.filter(({ disturbance }) => disturbance?.kind === "stood-still");
}

function longestMs({ samples }: Stopped): number {
  const latencies = Array.from(samples.endedAtNs, (endNs, call) => (endNs - (samples.intendedAtNs[call] ?? 0)) / 1e6);
  return Math.max(...latencies);
}

describe.each(["server", "client"] as const)(
  "a %s that is stopped in the middle of a closed loop's block",
  withPgrep,
  (who) => {
    it("makes the block void, with its reason, and the block is measured again", async () => {
      const run = await runWith(who);
      const { facts } = run;
      expect(facts).toMatchObject({ status: "complete", roundsDone: 2 });
      const [block, ...others] = stoodStill(facts.voidBlocks);
      expect(others).toEqual([]);
      expect(block).toMatchObject({ round: 0, calls: 10, failedCalls: 0, disturbance: { process: who } });
      expect(block?.elapsedMs).toBeGreaterThanOrEqual(stillMs);
      expect(block?.disturbance?.lostMs).toBeGreaterThan(0.6 * stillMs);
      expect(stoodStill(facts.blocks)).toEqual([]);
      // Nothing else is missing, and no call of the void block is recorded.
      expect(facts.blocks).toHaveLength(12);
      expect(facts.blocks.filter(({ round, block: place }) => round === 0 && place === block?.block)).toHaveLength(1);
      expect(run.samples.length).toBe(120);
      expect(longestMs(run)).toBeLessThan(stillMs);
    });
  },
);

describe("a server that is stopped in the middle of an open loop's block", withPgrep, () => {
  it("is what callers would have met: the block stays and says so", async () => {
    const run = await runWith("server", { load: { pacer: poisson({ rateHz: 200 }) } });
    expect(stoodStill(run.facts.voidBlocks)).toEqual([]);
    // One, and more where the machine is so busy that it stops others, too.
    expect(stoodStill(run.facts.blocks)).not.toEqual([]);
    expect(longestMs(run)).toBeGreaterThanOrEqual(0.9 * stillMs);
  });
});
