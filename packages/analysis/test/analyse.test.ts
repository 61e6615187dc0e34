// What a run's analysis promises, on runs whose truth is known.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { armFor, factsOf, loadedBlock, samplesOf, syntheticRun } from "./synthetic-run.ts";

const shape = { rounds: 6, blocksPerRound: 3, tasksPerBlock: 20 };

test("a task of several calls lasts from the first start to the last end", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "chatty-parallel", callsPerTask: 3 })];
  const samples = samplesOf([
    { arm: 0, round: 0, block: 0, task: 0, step: 1, startMs: 11, endMs: 14 },
    { arm: 0, round: 0, block: 0, task: 0, step: 0, startMs: 10, endMs: 15 },
    { arm: 0, round: 0, block: 0, task: 0, step: 2, startMs: 12, endMs: 17 },
  ]);
  const { summaries } = analyse(factsOf(arms, 1), samples);
  expect(summaries).toMatchObject([{ metric: "latencyMs", n: 1, mean: 7, p50: 7, stddev: 0 }]);
});

test("a failed call is counted, warned about, and its task has no latency", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" })];
  const samples = samplesOf([
    { arm: 0, round: 0, block: 0, task: 0, step: 0, startMs: 0, endMs: 1 },
    { arm: 0, round: 0, block: 0, task: 1, step: 0, startMs: 1, endMs: 900, outcome: "DEADLINE_EXCEEDED" },
  ]);
  const { summaries, warnings } = analyse(factsOf(arms, 1), samples);
  expect(summaries[0]).toMatchObject({ n: 1, max: 1 });
  expect(warnings).toContainEqual({
    code: "failed-calls",
    armId: arms[0]?.id,
    message: "1 of 2 calls failed (1 × DEADLINE_EXCEEDED); 1 task left out of latency",
  });
});

test("a task that was cut off before its last call has no latency", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "chatty", callsPerTask: 2 })];
  const samples = samplesOf([
    { arm: 0, round: 0, block: 0, task: 0, step: 0, startMs: 0, endMs: 1 },
    { arm: 0, round: 0, block: 0, task: 0, step: 1, startMs: 1, endMs: 2 },
    { arm: 0, round: 0, block: 0, task: 1, step: 0, startMs: 2, endMs: 3 },
  ]);
  const { summaries, warnings } = analyse(factsOf(arms, 1), samples);
  expect(summaries[0]).toMatchObject({ n: 1, mean: 2 });
  expect(warnings).toContainEqual({
    code: "unfinished-tasks",
    armId: arms[0]?.id,
    message: expect.stringMatching(/^1 task /),
  });
});

test("rounds weigh equally in a mean, however many calls each made, so that the table's ratio is the sentence's", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" }), armFor({ stack: "rest-express", variant: "facade" })];
  // The first round is slow and makes ten times the calls, of the first arm alone.
  const calls = [100, 10, 10, 10, 10, 10].flatMap((tasks, round) =>
    [0, 1].flatMap((arm) =>
      Array.from({ length: arm === 0 ? tasks : 10 }, (_, task) => {
        const latencyMs = (arm === 0 ? 3 : 1) * (round === 0 ? 8 : 1 + round / 100);
        return { arm, round, block: arm, task, step: 0, startMs: 0, endMs: latencyMs };
      }),
    ),
  );
  const { summaries, comparisons } = analyse(factsOf(arms, 6), samplesOf(calls));
  const [slow, fast] = summaries.map(({ mean }) => mean);
  expect(comparisons[0]?.ratio).toBeCloseTo(3, 12);
  expect((slow ?? 0) / (fast ?? 0)).toBeCloseTo(3, 12);
  expect(fast).toBeCloseTo((8 + 1.01 + 1.02 + 1.03 + 1.04 + 1.05) / 6, 12);
});

test("the interval of a mean is Student's t over rounds, and stays among the values", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" })];
  const intervalOf = (levels: readonly number[]) => {
    const run = syntheticRun(arms, { ...shape, rounds: levels.length }, (_, round) => levels[round] ?? 0);
    const { meanLow, meanHigh } = analyse(run.facts, run.samples).summaries[0] ?? {};
    return [meanLow, meanHigh];
  };
  // The squares of the deviations sum to 0.025, so 1 ± 2.5706 · √(0.025 / 5 / 6), with t for five degrees of freedom from the tables.
  expect(intervalOf([1, 1.1, 0.95, 1.05, 0.9, 1])).toEqual([
    expect.closeTo(0.925_794, 6),
    expect.closeTo(1.074_206, 6),
  ]);
  expect(intervalOf([0.5, 0.51, 0.49, 0.52, 0.5, 4])[0]).toBe(0.49);
  expect(intervalOf([2, 2, 2, 2, 2, 2])).toEqual([2, 2]);
  expect(intervalOf([1, 2, 3, 4, 5])).toEqual([null, null]);
});

test("three to five rounds give intervals of ratios alone, and say so", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" }), armFor({ stack: "rest-express", variant: "facade" })];
  const run = syntheticRun(
    arms,
    { ...shape, rounds: 5 },
    (arm, round) => (arm.stack === "grpc-js" ? 1 : 2) + round / 50,
  );
  const { summaries, comparisons, warnings } = analyse(run.facts, run.samples);
  expect(summaries[0]).toMatchObject({ meanLow: null, meanHigh: null, p50Low: null, p50High: null });
  expect(comparisons[0]).toMatchObject({ basis: "student-t", verdict: "different", rounds: 5 });
  expect(comparisons[0]?.high).toBeLessThan(1);
  expect(warnings).toContainEqual({
    code: "few-rounds",
    message:
      "this run has 5 rounds: 95 % intervals of ratios assume normal noise, others need 6 complete rounds; run again with --rounds 6",
  });
});

test("an arm that was never called is warned about and appears in no comparison", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" }), armFor({ stack: "rest-express", variant: "facade" })];
  const only = syntheticRun(arms.slice(0, 1), shape, () => 1);
  const { summaries, comparisons, warnings } = analyse(factsOf(arms, 6), only.samples);
  expect(summaries.map((summary) => summary.armId)).toEqual([arms[0]?.id]);
  expect(comparisons).toEqual([]);
  expect(warnings).toContainEqual({ code: "no-samples", message: "no calls were recorded", armId: arms[1]?.id });
});

test("the ratio of two arms is the quotient of their latencies, whatever a round does to both", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" }), armFor({ stack: "rest-express", variant: "facade" })];
  const run = syntheticRun(
    arms,
    shape,
    (arm, round, block) => (arm.stack === "grpc-js" ? 0.8 : 1) * (1 + round) * (1 + block / 10),
  );
  const [comparison] = analyse(run.facts, run.samples).comparisons;
  expect(comparison).toMatchObject({ kind: "stack", verdict: "different", rounds: 6, familySize: 1 });
  expect(comparison?.ratio).toBeCloseTo(0.8, 9);
  expect(comparison?.hodgesLehmann).toBeCloseTo(0.8, 9);
});

test("compares stacks with stacks, variants with the façade, and styles with the floor of the same variant", () => {
  const arms = ["grpc-js", "rest-express", "floor"].flatMap((stack) =>
    ["facade", "chatty"].map((variant) => armFor({ stack, variant, callsPerTask: variant === "facade" ? 1 : 6 })),
  );
  arms.push(armFor({ stack: "rest-express", variant: "together" }));
  const run = syntheticRun(arms, { ...shape, tasksPerBlock: 2 }, (_, round) => 1 + round / 100);
  const pairs = analyse(run.facts, run.samples).comparisons.map(
    ({ kind, numeratorId, denominatorId }) => `${kind}: ${numeratorId} over ${denominatorId}`,
  );
  expect(pairs.map((pair) => pair.replaceAll("facade/read/", "")).toSorted()).toEqual([
    "floor: grpc-js/chatty over floor/chatty",
    "floor: grpc-js/facade over floor/facade",
    "floor: rest-express/chatty over floor/chatty",
    "floor: rest-express/facade over floor/facade",
    "stack: grpc-js/chatty over rest-express/chatty",
    "stack: grpc-js/facade over rest-express/facade",
    "variant: floor/chatty over floor/facade",
    "variant: grpc-js/chatty over grpc-js/facade",
    "variant: rest-express/chatty over rest-express/facade",
    "variant: rest-express/together over rest-express/facade",
  ]);
});

test("costs per task come from the runner's books, block by block", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" })];
  const [arm] = arms;
  const books = { armId: arm?.id ?? "", block: 0, tasks: 100, elapsedMs: 20, clientCpuMs: 12, wireBytes: 20_000 };
  const blocks = [0, 1, 2, 3, 4, 5].map((round) => loadedBlock({ ...books, round, serverCpuMs: 10 + round }));
  const firstCalls = [{ armId: arm?.id ?? "", round: 0, firstCallMs: 30 }];
  const { summaries } = analyse({ ...factsOf(arms, 6, blocks), firstCalls }, samplesOf([]));
  expect(Object.fromEntries(summaries.map((summary) => [summary.metric, summary.mean]))).toEqual({
    firstCallMs: 30,
    callsPerSecond: 5_000,
    serverCpuShare: expect.closeTo(0.625, 12),
    wireBytesPerSecond: 1_000_000,
    clientUtilisation: 0.1,
    serverCpuMsPerTask: expect.closeTo(0.125, 12),
    clientCpuMsPerTask: 0.12,
    wireBytesPerTask: 200,
    callsPerTask: 1,
    connectionsOpened: 0,
    connectionsPerCall: 0,
  });
  expect(summaries.find((summary) => summary.metric === "wireBytesPerTask")).toMatchObject({
    meanLow: 200,
    meanHigh: 200,
  });
});

test("broken samples are refused with the row, not averaged", () => {
  const arms = [armFor({ stack: "grpc-js", variant: "facade" })];
  const call = { arm: 0, round: 0, block: 0, task: 0, step: 0, startMs: 1, endMs: 2 };
  const analysed =
    (...calls: Parameters<typeof samplesOf>[0]) =>
    () =>
      analyse(factsOf(arms, 1), samplesOf(calls));
  expect(analysed({ ...call, endMs: Number.NaN })).toThrow(expect.objectContaining({ code: "not-a-number" }));
  expect(analysed(call, { ...call, task: 1, endMs: 0 })).toThrow(/row 1 ended before/);
  expect(analysed({ ...call, arm: 3 })).toThrow(expect.objectContaining({ code: "ragged-columns" }));
  expect(analysed({ ...call, task: 4e9 })).toThrow(expect.objectContaining({ code: "ragged-columns" }));
  const samples = { ...samplesOf([call]), length: 2 };
  expect(() => analyse(factsOf(arms, 1), samples)).toThrow(expect.objectContaining({ code: "ragged-columns" }));
});
