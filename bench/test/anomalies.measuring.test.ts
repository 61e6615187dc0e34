// The fault of 1996 with the client library of today: a real run of the study, made short, on this machine's own network. What it opens is counted; what
// a connection costs over a distance is put in by its law, so that no assertion hangs on this machine's clock.
import { analyse, type Analysis } from "@roundtrip/analysis";
import type { Block, RunFacts, Samples } from "@roundtrip/runs";
import { measureRun, type MeasureOptions, type Study } from "@roundtrip/runner";
import { readRun } from "@roundtrip/runs/read";
import { loadStack } from "@roundtrip/stacks";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadStudy } from "../index.ts";

const rttMs = 5;
const rounds = 6;
const callsPerCaller = 20;

/** Most connections are opened by callers who pause for a few times as long as a call takes: on a busy machine that is longer. */
const pausesMs = [0, 2, 5, 10, 20];

/** Calls of one caller, and of six who do not pause or pause, in one round. */
function shortened(study: Study): Study {
  const kept = study.tasks.filter(
    ({ callers, load }) => callers !== 3 && pausesMs.includes(Number(load?.pacer.factors["thinkMs"])),
  );
  const tasks = kept.map((task) => {
    const calls = callsPerCaller * task.callers;
    return { ...task, links: [], needs: [], tasksPerRound: calls, tasksPerBlock: calls };
  });
  return { ...study, rounds: 1, tasks };
}

/** Every call takes a round trip, and one that opens a connection another. What else takes time takes next to none. */
function overDistance(facts: RunFacts): { readonly facts: RunFacts; readonly samples: Samples } {
  const blocks = Array.from({ length: rounds }, (_, round) =>
    facts.blocks.map((block): Block => ({
      ...block,
      round,
      serverCpuMs: 0.05 * block.calls,
      clientCpuMs: 0.05 * block.calls,
    })),
  ).flat();
  const calls = blocks.flatMap((block) =>
    Array.from({ length: block.calls }, (_, task) => ({
      arm: facts.arms.findIndex(({ id }) => id === block.armId),
      round: block.round,
      block: block.block,
      task,
      // Rounds are not all alike, by a hundredth.
      durationNs: 1e6 * rttMs * (task < block.connectionsOpened ? 2 : 1) * (1 + 0.002 * block.round),
    })),
  );
  const none = new Float64Array(calls.length);
  const samples: Samples = {
    length: calls.length,
    arm: Uint32Array.from(calls, ({ arm }) => arm),
    round: Uint32Array.from(calls, ({ round }) => round),
    block: Uint32Array.from(calls, ({ block }) => block),
    task: Uint32Array.from(calls, ({ task }) => task),
    step: new Uint32Array(calls.length),
    intendedAtNs: none,
    startedAtNs: none,
    endedAtNs: Float64Array.from(calls, ({ durationNs }) => durationNs),
    outcome: new Uint8Array(calls.length),
    outcomes: ["OK"],
    requestBytes: none,
    responseBytes: none,
  };
  return { facts: { ...facts, blocks, firstCalls: [], warmUps: [] }, samples };
}

describe("a client that keeps one idle connection", () => {
  let directory: string;
  let facts: RunFacts;
  let analysis: Analysis;

  const opened = (idleConnections: number, thinkMs: number): number => {
    const arm = facts.arms.find(
      ({ factors }) =>
        factors["callers"] === 6 && factors["idleConnections"] === idleConnections && factors["thinkMs"] === thinkMs,
    );
    return facts.blocks.find(({ armId }) => armId === arm?.id)?.connectionsOpened ?? Number.NaN;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "roundtrip-anomalies-"));
    const options: MeasureOptions = {
      studies: [shortened(await loadStudy("anomalies-pool"))],
      stacks: [await loadStack("rest-express")],
      settings: {},
      links: {},
      targets: [],
      targetsAreDisposable: false,
      answerLimitMs: 10_000,
      contract: { kind: "built-in" },
      service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
      serviceDefaults: { matrix: { threads: 1 } },
      directory: join(directory, "run"),
      seed: 1996,
      rounds: 1,
      link: "auto",
      warmUpMs: 1,
      budgetMs: 60_000,
      tls: false,
      command: "roundtrip bench anomalies-pool",
    };
    await measureRun(options, new AbortController().signal, () => undefined);
    ({ facts } = await readRun(join(directory, "run")));
    const far = overDistance(facts);
    analysis = analyse(far.facts, far.samples);
  }, 120_000);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("opens others for callers who pause, and next to none for callers who do not", () => {
    // Five are closed before a block of six callers begins.
    expect(opened(1, 0)).toBeLessThanOrEqual(5);
    expect(opened(1, 2) + opened(1, 5)).toBeGreaterThan(20);
  });

  it("opens one for each caller and then no more when all are kept", () => {
    expect(opened(100, 0) + opened(100, 5) + opened(100, 20)).toBeLessThanOrEqual(6);
  });

  it("makes round trips longer by think time, which is flagged with its cause; they follow the model when all are kept", () => {
    const flagged = analysis.anomalies.map(({ armIds, ratio, causes }) => {
      const { idleConnections, thinkMs } = analysis.arms.find(({ id }) => id === armIds[0])?.factors ?? {};
      return { idleConnections, pauses: thinkMs !== 0, isLonger: ratio > 1, cause: causes[0]?.code };
    });
    // A busy machine may also close a connection of callers without pauses, whose model then predicts too much.
    const longer = flagged.filter(({ isLonger }) => isLonger);
    expect(longer.length).toBeGreaterThan(0);
    expect(longer).toEqual(
      longer.map(() => ({ idleConnections: 1, pauses: true, isLonger: true, cause: "connections-opened" })),
    );
    expect(flagged.filter(({ pauses, isLonger }) => pauses && !isLonger)).toEqual([]);
    expect(analysis.warnings).toContainEqual(
      expect.objectContaining({
        code: "anomaly",
        message: expect.stringContaining("the client's pool closes connections and opens others") as string,
      }),
    );
  });
});
