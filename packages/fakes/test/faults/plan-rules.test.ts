// Which calls a plan affects: a random share of those that it names, the same in every run.
import { array, assert, asyncProperty, constantFrom, integer, shuffledSubarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesStars } from "@roundtrip/contract/text";
import type { FaultPlan, FaultRule } from "../../src/faults/fault-schema.ts";
import {
  always,
  answering,
  chunksOf,
  faulty,
  greetingOf,
  outcomeOf,
  slowBy,
  unavailable,
} from "./support/answering.ts";

describe("a plan", () => {
  it("does not affect calls that no rule names", async () => {
    const service = faulty({
      ...always(unavailable, "*.Echo"),
      latencies: [{ operation: "*.Echo", ms: 5 }],
    });
    expect(await greetingOf(service, "Ada")).toBe("Hello, Ada!");
    expect(await Array.fromAsync(chunksOf(service, 2))).toEqual([0, 1]);
  });

  it.each([
    "roundtrip.v1.HelloService.SayHello",
    "HelloService.SayHello",
    "*",
    "roundtrip.v1.*",
    "*.SayHello",
    "*.Hello*.*",
    "*t*p*Hello*",
  ])("names operations by id, by an end of the id, or by pattern: %s", async (operation) => {
    expect(await outcomeOf(greetingOf(faulty(always(unavailable, operation)), "Ada"))).toBe("UNAVAILABLE");
  });

  it("of a program is checked as one in a file is", () => {
    const rule = { operation: "SayHello", ...unavailable };
    expect(() => faulty({ faults: [{ ...rule, probability: 10 }] })).toThrow(
      "faults[0].probability: expected a share of the calls, 0 to 1, got 10",
    );
    expect(() => faulty(slowBy({ ms: 1 }, "SayHell"))).toThrow(
      'latencies[0].operation: the contract has no operation "SayHell"; did you mean "SayHello"?',
    );
  });

  it("does not affect what a style serves beside the contract", () => {
    expect(faulty(always(unavailable)).guard(answering)).toBe(answering);
  });
});

describe("a random decision", () => {
  it("gives each rule its share of the calls, and applies the first match", async () => {
    const rules: readonly FaultRule[] = (["ABORTED", "INTERNAL"] as const).map((code, index) => ({
      operation: "*",
      probability: index === 0 ? 0.1 : 0.2,
      error: { ...unavailable.error, code },
    }));
    const service = faulty({ faults: rules });
    const counts = new Map<string, number>();
    for (let index = 0; index < 3_000; index += 1) {
      const outcome = await outcomeOf(greetingOf(service, `${index}`).then(() => "OK"));
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    // Five standard deviations to either side; the seed is fixed, so the result is deterministic.
    expect(Math.abs((counts.get("ABORTED") ?? 0) - 300)).toBeLessThan(82);
    expect(Math.abs((counts.get("INTERNAL") ?? 0) - 600)).toBeLessThan(110);
  });

  it("is the same for each request and attempt, in any order and concurrency", async () => {
    const plan: FaultPlan = {
      faults: [{ operation: "*", probability: 0.4, ...unavailable }],
      latencies: [{ operation: "*", uniform: { fromMs: 0, toMs: 3 } }],
    };
    const outcomes = async (names: readonly string[], seed: number): Promise<Record<string, string>> => {
      const service = faulty(plan, seed);
      const made = new Map<string, number>();
      const calls = names.map(async (name) => {
        const attempt = (made.get(name) ?? 0) + 1;
        made.set(name, attempt);
        return [`${name} ${attempt}`, await outcomeOf(greetingOf(service, name))] as const;
      });
      return Object.fromEntries(await Promise.all(calls));
    };
    const names = array(constantFrom("Ada", "Bob", "Cleo"), { minLength: 1, maxLength: 12 });
    const twoOrders = names.chain((some) =>
      shuffledSubarray(some, { minLength: some.length }).map((shuffled) => [some, shuffled] as const),
    );
    await assert(
      asyncProperty(twoOrders, integer(), async ([inOrder, shuffled], seed) => {
        expect(await outcomes(shuffled, seed)).toEqual(await outcomes(inOrder, seed));
      }),
      { numRuns: 40 },
    );
  });
});

it.each([
  ["a.B.C", "a.B.C", true],
  ["a.B.C", "a.B.CD", false],
  ["*", "a.B.C", true],
  ["a.*", "a.B.C", true],
  ["a.*", "b.B.C", false],
  ["*.C", "a.B.D", false],
  ["*.Get*", "a.B.GetBook", true],
  ["a*a", "a", false],
  ["a**a", "aa", true],
  ["*ab*ab", "ab", false],
  ["*ab*ab", "abab", true],
])("%s and %s: %s", (pattern, id, expected) => {
  expect(matchesStars(pattern, id)).toBe(expected);
});
