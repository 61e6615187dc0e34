// Who makes the load of blocks in place of the client processes: what it gets, and what of it a run keeps.
import type { LeftOutArms, RunFacts } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { type Engine, type EnginePart } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { shortRun, measureWhole } from "./support/short-run.ts";
import { blankCalls } from "@roundtrip/runs/call-columns";

const silent = (): void => undefined;

const columns = (values: readonly number[]): Float64Array => Float64Array.from(values);

/** Says of each block that its calls took a millisecond each, one after the other, ten seconds after the epoch. */
function logBlock({ log, plan: { firstBlock } }: EnginePart, armId: string, block: number, tasks: number): void {
  const starts = Array.from({ length: tasks }, (_, task) => 2 * task);
  log.addBlock(
    { armId, block: firstBlock + block, tasks, serverCpuMs: 1, server: undefined, tcp: undefined },
    {
      rows: {
        ...blankCalls(tasks),
        task: Uint32Array.from(starts.keys()),
        startedAtMs: columns(starts),
        endedAtMs: columns(starts.map((at) => at + 1)),
      },
      outcomes: ["OK"],
      timeOriginMs: Date.now(),
      elapsedMs: 2 * tasks,
      clientCpuMs: null,
      wireBytes: 0,
      connectionsOpened: 0,
    },
  );
}

const generators = [{ name: "made up", version: "1", segment: "0:1" }];

const leftOut = (arms: number): LeftOutArms => ({
  kind: "left-out",
  arms,
  work: [{ study: "hello", task: "greet", title: "REST" }],
  reason: { code: "unsupported-by-generator", generator: "made up", what: "streams" },
});

/** Does the variant `single` alone, and records what it gets. */
function madeUp(heard: (part: EnginePart) => void): Engine {
  return {
    generators,
    blockTime: { besideMs: 1, timesTasks: 1 },
    choose: (arms) => {
      const measured = arms.filter(({ variant, stack }) => variant === "single" && stack !== "floor");
      return Promise.resolve({ measured, leftOut: [leftOut(arms.length - measured.length)] });
    },
    runBlocks: (part) => {
      heard(part);
      part.plan.schedule.forEach(({ arm, tasks }, block) => {
        if (part.control.mayBegin(block)) logBlock(part, arm.id, block, tasks);
      });
      return Promise.resolve(true);
    },
  };
}

describe("an engine", () => {
  it("gets warm servers that have answered alike, and its blocks become the run's", async () => {
    const parts: { readonly urls: readonly (string | undefined)[]; readonly compared: number }[] = [];
    const engine = madeUp(({ pairs, log }) => {
      parts.push({ urls: pairs.map(({ url }) => url), compared: log.responsesCompared });
    });
    const options = await shortRun({ engine });
    const facts: RunFacts = await measureWhole(options);
    expect(parts).toHaveLength(2);
    for (const { urls, compared } of parts) {
      expect(urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/)]);
      expect(compared).toBe(1);
    }
    expect(facts).toMatchObject({ status: "complete", roundsDone: 2, environment: { generators } });
    expect(facts.arms.map(({ variant }) => variant)).toEqual(["single"]);
    expect(facts.events).toEqual([leftOut(3)]);
    expect(facts.blocks).toHaveLength(2 * 2);
    expect(facts.blocks[0]).toMatchObject({ calls: 10, elapsedMs: 20, clientCpuMs: null });
    expect(facts.blocks[0]).not.toHaveProperty("client");
    const { samples } = await readRun(options.directory);
    expect(samples.length).toBe(2 * 20);
    expect((samples.endedAtNs[0] ?? 0) - (samples.startedAtNs[0] ?? 0)).toBeCloseTo(1e6, -3);
  });

  it("that can do nothing of what is asked ends the run before anything starts", async () => {
    const engine: Engine = {
      ...madeUp(silent),
      choose: () => Promise.resolve({ measured: [], leftOut: [leftOut(2)] }),
    };
    await expect(measureWhole(await shortRun({ engine }))).rejects.toMatchObject({
      code: "bad-plan",
      message: "nothing is left to measure: 2 arms (hello greet over REST) left out: made up does not support streams",
    });
  });
});
