// The operations of a mix, from calls whose latencies the test chooses.
import { expect, it } from "vitest";
import { analyse } from "../src/index.ts";
import { gatherCalls } from "../src/metrics/gathered-calls.ts";
import { armFor, factsOf, samplesOf, type Call } from "./synthetic-run.ts";

const arms = [
  armFor({ stack: "grpc-js", variant: "mix", mix: ["shop.Get", "shop.Get", "shop.List"] }),
  armFor({ stack: "rest-express", variant: "mix", mix: ["shop.Get", "shop.Get", "shop.List"] }),
];

const rounds = 6;

/** Ten tasks a round: eight calls of Get (two requests) in 2 ms, two of List in 10 ms, one of which fails. */
function calls(arm: number): readonly Call[] {
  return Array.from({ length: rounds * 10 }, (_, index): Call => {
    const [round, task] = [Math.floor(index / 10), index % 10];
    const isList = task >= 8;
    return {
      arm,
      round,
      block: arm,
      task,
      step: isList ? 2 : task % 2,
      startMs: 20 * index,
      endMs: 20 * index + (isList ? 10 : 2),
      outcome: task === 9 ? "UNAVAILABLE" : "OK",
    };
  });
}

const facts = factsOf(arms, rounds);

it("have their share of the calls, their own latencies and their failed calls", () => {
  const { operations } = analyse(facts, samplesOf([...calls(0), ...calls(1)]));
  expect(operations.filter(({ armId }) => armId === arms[0]?.id)).toMatchObject([
    { operation: "shop.Get", share: 0.8, calls: 48, failedCalls: 0, latency: { p50Ms: 2, p50LowMs: 2, maxMs: 2 } },
    { operation: "shop.List", share: 0.2, calls: 12, failedCalls: 6, latency: { meanMs: 10, p50Ms: 10, p99Ms: null } },
  ]);
  expect(operations).toHaveLength(4);
});

it("do not exist for an arm whose tasks make all their calls", () => {
  const plain = factsOf([armFor({ stack: "grpc-js", variant: "single" })], rounds);
  expect(gatherCalls(plain, samplesOf(calls(0))).operations).toEqual([[]]);
});

it("count as one arrival each under a schedule, whichever step they are", () => {
  const load = { loop: "open", pacer: "recorded" } as const;
  const open = factsOf(
    [armFor({ stack: "grpc-js", variant: "mix", mix: ["shop.Get", "shop.Get", "shop.List"], load })],
    rounds,
  );
  const [moments = []] = gatherCalls(open, samplesOf(calls(0))).arrivals.values();
  expect([...moments].map(({ length }) => length)).toEqual(Array(rounds).fill(10));
});
