// Random decisions depend only on the call, and have the distributions of the plan.
import { create } from "@bufbuild/protobuf";
import { SayHelloRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { describe, expect, it } from "vitest";
import { draw, drawDelayMs, faultDecisions, rememberedAttempts } from "../../src/faults/decide.ts";
import { type Delay, longestDelayMs } from "../../src/faults/fault-schema.ts";
import { contract, sayHello } from "./support/answering.ts";

it("draws another number for another seed, key, attempt or purpose, and the same one otherwise", () => {
  const call = { seed: 1, key: "x", attempt: 1 };
  const others = [
    { ...call, seed: 2 },
    { ...call, key: "y" },
    { ...call, attempt: 2 },
  ].map((key) => draw(key, "fault"));
  const numbers = [draw(call, "fault"), draw(call, "latency"), ...others];
  expect(new Set(numbers).size).toBe(5);
  expect(draw(call, "fault")).toBe(numbers[0]);
});

describe("a delay", () => {
  const count = 20_000;
  const drawn = (delay: Delay): readonly number[] =>
    Array.from({ length: count }, (_, at) => drawDelayMs(delay, { seed: 1, key: `${at}`, attempt: 1 }, "latency"));

  // The 1st, 50th and 99th percentile.
  it.each<readonly [Delay, least: number, median: number, most: number]>([
    [{ ms: 30 }, 30, 30, 30],
    [{ uniform: { fromMs: 10, toMs: 50 } }, 10.4, 30, 49.6],
    [{ exponential: { meanMs: 20 } }, 0.2, 20 * Math.LN2, 20 * Math.log(100)],
    [{ lognormal: { medianMs: 20, p99Ms: 200 } }, 2, 20, 200],
    [{ lognormal: { medianMs: 20, p99Ms: 20 } }, 20, 20, 20],
    [{ measured: { valuesMs: [1, 1, 1, 10, 10] } }, 1, 1, 10],
    [{ lognormal: { medianMs: 1, p99Ms: longestDelayMs } }, 0, 1, longestDelayMs],
  ])("%j has its distribution, and is at most an hour", (delay, ...expected) => {
    const values = drawn(delay).toSorted((value, next) => value - next);
    const quantiles = [0.01, 0.5, 0.99].map((share) => values[share * count] ?? 0);
    for (const [at, quantile] of quantiles.entries()) {
      expect(Math.abs(quantile - (expected[at] ?? 0))).toBeLessThanOrEqual(0.1 * (expected[at] ?? 0) + 0.05);
    }
    expect(values.at(-1)).toBeLessThanOrEqual(longestDelayMs);
    expect(values[0]).toBeGreaterThanOrEqual(0);
  });
});

it("counts the attempts of each request, and forgets all of them when there are too many", () => {
  const decide = faultDecisions(1);
  const rules = { latency: undefined, faults: [] };
  const attemptOf = (name: string): number =>
    decide(rules, contract.operation(sayHello.id), create(SayHelloRequestSchema, { name })).drawKey.attempt;
  expect(["a", "b", "a", "a"].map(attemptOf)).toEqual([1, 1, 2, 3]);
  for (let at = 0; at < rememberedAttempts; at += 1) attemptOf(`other ${at}`);
  expect(attemptOf("a")).toBe(1);
});
