// What a history keeps of a run: every summary, with the rounds that it was made of.
import { expect, it } from "vitest";
import { analyseGathered, summariseArms } from "../../src/analyse/analyse.ts";
import { gatherCalls } from "../../src/metrics/gathered-calls.ts";
import { historyRecord } from "../../src/history/history-record.ts";
import { armFor, factsOf, samplesOf, type Call } from "../synthetic-run.ts";
import type { Block } from "../../src/run/run-facts.ts";

const arms = [armFor({ stack: "grpc-js", variant: "facade" }), armFor({ stack: "rest-express", variant: "facade" })];
const rounds = 6;

/** A call takes 1 ms in round 0, 2 ms in round 1, and so on; the second arm is left out of round 3. */
const calls = Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
  arms.flatMap((_, arm): readonly Call[] =>
    arm === 1 && round === 3
      ? []
      : [0, 1].map((task) => ({
          arm,
          round,
          block: arm,
          task,
          step: 0,
          startMs: 10 * task,
          endMs: 11 * task + 1 + round - task,
        })),
  ),
);
const blocks = arms.flatMap(({ id: armId }, block) =>
  Array.from({ length: rounds }, (_, round): Block => ({
    armId,
    round,
    block,
    tasks: 2,
    calls: 2,
    failedCalls: 0,
    elapsedMs: 4,
    serverCpuMs: 2 * (round + 1),
    clientCpuMs: 1,
    wireBytes: 200,
    connectionsOpened: 0,
  })),
);

it("keeps head of two versions, by the name that it has without a version", () => {
  const versions = (["base", "head"] as const).map((version) =>
    armFor({ stack: "grpc-js", variant: "facade", factors: { tls: true, version } }),
  );
  const renamed = blocks.map((block) => ({ ...block, armId: versions[block.block]?.id ?? "" }));
  const facts = factsOf(versions, rounds, renamed);
  const gathered = gatherCalls(facts, samplesOf(calls));
  const { cells } = historyRecord(facts, gathered, summariseArms(facts, gathered));
  const { id, factors } = cells[0]?.arm ?? {};
  expect({ id, factors }).toEqual({ id: "facade/read/grpc-js/facade/tls=true", factors: { tls: true } });
  expect(new Set(cells.map(({ summary }) => summary.armId))).toEqual(new Set([id]));
  // The second of the two is the one that was left out of a round.
  expect(cells[0]?.roundMeans).toEqual([1, 2, 3, null, 5, 6]);
});

it("keeps each summary of a run with the means of its rounds, and where it ran", () => {
  const facts = factsOf(arms, rounds, blocks);
  const gathered = gatherCalls(facts, samplesOf(calls));
  const analysis = analyseGathered(facts, gathered);
  const { summaries, distributions, voidCells } = analysis;
  expect(summariseArms(facts, gathered)).toEqual({ summaries, distributions, voidCells });
  const kept = historyRecord(facts, gathered, analysis);
  expect(kept).toMatchObject({ startedAt: facts.startedAt, seed: 1, status: "complete", rounds });
  expect(kept.environment).toEqual({
    cpuModel: "test",
    cores: 2,
    kernel: "test",
    runtime: "Node.js",
    link: "loopback",
  });
  const generators = [{ name: "k6", version: "v1.8.1", segment: "0:1" }];
  const byK6 = historyRecord({ ...facts, environment: { ...facts.environment, generators } }, gathered, analysis);
  expect(byK6.environment.runtime).toBe("Node.js, calls by k6 v1.8.1");
  expect(kept.cells.map(({ summary }) => summary)).toEqual(analysis.summaries);
  const means = (arm: number, metric: string) =>
    kept.cells.find((cell) => cell.arm === arms[arm] && cell.summary.metric === metric)?.roundMeans;
  expect(means(0, "latencyMs")).toEqual([1, 2, 3, 4, 5, 6]);
  expect(means(1, "latencyMs")).toEqual([1, 2, 3, null, 5, 6]);
  expect(means(0, "serverCpuMsPerTask")).toEqual([1, 2, 3, 4, 5, 6]);
  expect(means(0, "wireBytesPerTask")).toEqual([100, 100, 100, 100, 100, 100]);
});
