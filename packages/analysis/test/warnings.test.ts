// What a reader is warned of: how far a run came and what to do about it, which cells had not settled, which blocks stand alone.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { roundsText } from "../src/warnings/round-warnings.ts";
import type { RunFacts } from "@roundtrip/runs";
import { armFor, factsOf, loadedBlock, samplesOf, type Call } from "./synthetic-run.ts";

const arms = ["grpc-js", "rest-express"].map((stack) => armFor({ stack, title: stack, variant: "facade" }));
const [one] = arms.map(({ id }) => id) as [string, string];

/** Two arms of three blocks in each of these rounds; the calls are what the test makes of them. */
function callsOf(rounds: number, change: (call: Call) => Call = (call) => call): readonly Call[] {
  return Array.from({ length: rounds }, (_, round) =>
    [0, 1, 2, 3, 4, 5].map((block) => {
      const call = { arm: block % 2, round, block, task: 0, step: 0, startMs: 0, endMs: 1 + (block % 2) + block / 100 };
      return change(call);
    }),
  ).flat();
}

function messages(facts: RunFacts, calls: readonly Call[], code: string) {
  return analyse(facts, samplesOf(calls)).warnings.flatMap((warning) => (warning.code === code ? [warning] : []));
}

function ratioOf(facts: RunFacts, calls: readonly Call[]): number {
  return analyse(facts, samplesOf(calls)).comparisons[0]?.ratio ?? 0;
}

test("rounds are worded once: complete ones, of how many, and whether another was begun", () => {
  expect(roundsText({ planned: 6, complete: 6, begun: 6 })).toBe("6 rounds");
  expect(roundsText({ planned: 6, complete: 8, begun: 9 })).toBe("8 rounds and part of another");
  expect(roundsText({ planned: 6, complete: 2, begun: 2 })).toBe("2 of 6 rounds");
  expect(roundsText({ planned: 6, complete: 0, begun: 1 })).toBe("part of the first of 6 rounds");
});

test("an interrupted run says how many rounds are complete, and to run again to the end", () => {
  const facts: RunFacts = { ...factsOf(arms, 6), status: "interrupted", roundsDone: 2, durationMs: 20_000 };
  expect(messages(facts, callsOf(3), "too-few-rounds").map(({ message }) => message)).toEqual([
    "this run has 2 of 6 rounds and part of another: 95 % intervals of ratios need at least 3 complete rounds, others need 6; run again to the end (about 70 s)",
  ]);
});

test("a run whose budget was too small for six rounds says which budget would do", () => {
  const facts: RunFacts = { ...factsOf(arms, 6), timeLimitMs: 20_000, roundsDone: 2, durationMs: 19_000 };
  expect(messages(facts, callsOf(2), "budget").map(({ message }) => message)).toEqual([
    "there was time for 2 of 6 rounds in 20 s",
  ]);
  expect(messages(facts, callsOf(2), "too-few-rounds").map(({ message }) => message)).toEqual([
    "this run has 2 of 6 rounds: 95 % intervals of ratios need at least 3 complete rounds, others need 6; run again with --budget 70s",
  ]);
});

test("many arms that were never called are one warning", () => {
  const many = [0, 1, 2, 3, 4, 5].map((index) => armFor({ stack: `stack-${index}`, variant: "facade" }));
  const call = { arm: 0, round: 0, block: 0, task: 0, step: 0, startMs: 0, endMs: 1 };
  expect(messages(factsOf(many, 6), [call], "no-samples")).toEqual([
    { code: "no-samples", message: "no calls were recorded of 5 of 6 arms: tables and pictures lack them" },
  ]);
});

test("failed calls are counted by outcome: a few arms are listed one by one, many together and in a table", () => {
  const many = [0, 1, 2, 3].map((index) => armFor({ stack: `stack-${index}`, variant: "facade" }));
  const failing = (failed: readonly number[]): readonly Call[] =>
    many.flatMap((_, arm) =>
      [0, 1, 2].map((task) => {
        const outcome = failed.includes(arm) && task > 0 ? ["", "RESOURCE_EXHAUSTED", "UNAVAILABLE"][task] : "OK";
        return { arm, round: 0, block: arm, task, step: 0, startMs: task, endMs: task + 1, outcome: outcome ?? "OK" };
      }),
    );
  const facts = factsOf(many, 6);
  const few = messages(facts, failing([0, 2]), "failed-calls");
  expect(few).toEqual(
    [0, 2].map((arm) => ({
      code: "failed-calls",
      message: "2 of 3 calls failed (1 × RESOURCE_EXHAUSTED, 1 × UNAVAILABLE); 2 tasks left out of latency",
      armId: many[arm]?.id,
    })),
  );
  expect(messages(facts, failing([0, 1, 2, 3]), "failed-calls")).toEqual([
    {
      code: "failed-calls",
      message: "8 of 12 calls of 4 arms failed (4 × RESOURCE_EXHAUSTED, 4 × UNAVAILABLE); 8 tasks left out of latency",
    },
  ]);
  expect(analyse(facts, samplesOf(failing([2]))).callFailures).toEqual([
    { armId: many[2]?.id, calls: 3, counts: { RESOURCE_EXHAUSTED: 1, UNAVAILABLE: 1 } },
  ]);
});

const trendOf = (stack: string): "hidden" | "falling" => (stack === "grpc-js" ? "hidden" : "falling");

test.each<readonly [cold: readonly number[], when: string]>([
  [[1, 4], "rounds 2 and 5"],
  [[3], "round 4"],
  [[0, 1, 2, 3, 4, 5], "every round"],
])("what had not settled in rounds %j is said with its rounds and arms", (cold, when) => {
  const warmUps = [0, 1, 2, 3, 4, 5].flatMap((round) =>
    ["grpc-js", "rest-express"].map((stack) => ({
      stack,
      round,
      calls: 100,
      elapsedMs: 750,
      trend: cold.includes(round) ? trendOf(stack) : ("over" as const),
    })),
  );
  expect(messages({ ...factsOf(arms, 6), warmUps }, callsOf(6), "warm-up-hidden")).toEqual([
    {
      code: "warm-up-hidden",
      message: `noise or too few calls hid whether times had settled when the warm-up ended: grpc-js in ${cold.length} of 6 rounds`,
    },
  ]);
  expect(messages({ ...factsOf(arms, 6), warmUps }, callsOf(6), "unsettled")).toEqual([
    {
      code: "unsettled",
      message: `rest-express had not settled when its warm-up was cut off in ${when}: this concerns its arm`,
    },
  ]);
});

test("a block in which every call failed shifts no pair behind it, and the pair that it leaves alone is counted", () => {
  const calls = callsOf(6, (call) => (call.round === 0 && call.block === 0 ? { ...call, outcome: "INTERNAL" } : call));
  // Block means differ by place only: 1.02 to 2.03 and 1.04 to 2.05, so that shifted pairs would show.
  const shifted = callsOf(6, (call) => ({ ...call, endMs: call.endMs * 3 ** Math.floor(call.block / 2) }));
  const broken = shifted.map((call) =>
    call.round === 0 && call.block === 0 ? { ...call, outcome: "INTERNAL" } : call,
  );
  expect(messages(factsOf(arms, 6), calls, "unpaired-blocks")).toEqual([
    {
      code: "unpaired-blocks",
      message: "1 pair of blocks left out of comparisons: one of the two has no answered task, or a mean of 0",
    },
  ]);
  expect(ratioOf(factsOf(arms, 6), broken) / ratioOf(factsOf(arms, 6), shifted)).toBeCloseTo(1, 2);
});

test("a block that the books know and no call was recorded of keeps its turn", () => {
  const whole = callsOf(6, (call) => ({ ...call, endMs: call.endMs * 3 ** Math.floor(call.block / 2) }));
  const calls = whole.filter(({ round, block }) => round !== 0 || block !== 0);
  const books = [0, 2, 4].map((block) =>
    loadedBlock({ armId: one, block, tasks: 1, calls: block === 0 ? 0 : 1, serverCpuMs: 1 }),
  );
  expect(messages(factsOf(arms, 6, books), calls, "unpaired-blocks")).toMatchObject([
    { message: expect.stringMatching(/^1 pair/) },
  ]);
  expect(ratioOf(factsOf(arms, 6, books), calls) / ratioOf(factsOf(arms, 6), whole)).toBeCloseTo(1, 2);
});

test("a block whose mean is 0 is left out of the ratios and counted; its round keeps its other pairs", () => {
  const calls = callsOf(6, (call) => (call.arm === 1 && call.block === 1 ? { ...call, endMs: 0 } : call));
  const { comparisons, warnings } = analyse(factsOf(arms, 6), samplesOf(calls));
  expect(comparisons).toMatchObject([{ rounds: 6 }]);
  expect(warnings.filter(({ code }) => code === "unpaired-blocks")).toMatchObject([
    { message: expect.stringMatching(/^6 pairs/) },
  ]);
});
