// The memory of servers in a synthetic run: metrics of arms, and the ratios of styles.
import type { Block } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { analyse } from "../../src/index.ts";
import { armFor, loadedBlock, syntheticRun } from "../synthetic-run.ts";

const arms = ["rest", "graphql", "floor"].map((stack) => armFor({ stack, variant: "facade" }));
const peakOf: Readonly<Record<string, number>> = { rest: 100, graphql: 180, floor: 60 };
const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 2 }, () => 1);

function blockOf(stack: string, round: number, block: number): Block {
  const armId = arms.find((arm) => arm.stack === stack)?.id ?? "";
  const evidence = { loopDelayMeanMs: null, loopDelayMaxMs: null, gcCount: 0, gcMs: 0 };
  return loadedBlock({
    armId,
    round,
    block,
    tasks: 2,
    serverCpuMs: 1,
    server: { ...evidence, allocatedBytes: 500 },
    client: evidence,
    serverMemory: { residentBytes: 50, peakBytes: (peakOf[stack] ?? 0) * (1 + round / 100) },
  });
}

const rounds = [0, 1, 2, 3, 4, 5];
const blocks = rounds.flatMap((round) =>
  [0, 1].flatMap((turn) => Object.keys(peakOf).map((stack, index) => blockOf(stack, round, 3 * turn + index))),
);
const memory = rounds.map((round) => ({
  armIds: [arms[0]?.id ?? ""],
  round,
  server: { warmBytes: 40, heapBytes: 10 + round },
  client: {},
}));
const found = analyse({ ...facts, blocks, memory }, samples);

function meanOf(stack: string, metric: string): number | undefined {
  const armId = arms.find((arm) => arm.stack === stack)?.id;
  return found.summaries.find((row) => row.armId === armId && row.metric === metric)?.mean;
}

test("memory is a metric of each arm that has it", () => {
  expect(meanOf("rest", "serverWarmBytes")).toBe(40);
  expect(meanOf("rest", "serverHeapBytes")).toBe(12.5);
  expect(meanOf("rest", "serverAllocatedBytesPerTask")).toBe(250);
  expect(meanOf("graphql", "serverResidentBytes")).toBe(50);
  // Processes of another stack, and ends without the figure.
  expect(meanOf("graphql", "serverWarmBytes")).toBeUndefined();
  expect(meanOf("rest", "clientAllocatedBytesPerTask")).toBeUndefined();
});

test("servers of styles are compared by their peaks, with the lowest, and the floor is no style", () => {
  const claims = found.claims.filter(({ kind }) => kind === "memory");
  expect(claims.map(({ armIds }) => armIds)).toEqual([[arms[1]?.id, arms[0]?.id]]);
  expect(claims[0]).toMatchObject({ strength: "clear", rounds: 6 });
  expect(claims[0] && "ratio" in claims[0] ? claims[0].ratio : 0).toBeCloseTo(1.8, 9);
});
