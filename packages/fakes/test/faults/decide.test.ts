// Random decisions depend only on the call, and are statistically random.
import { assert, integer, nat, property, string, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { Attempts, rememberedAttempts, callKey, draw } from "../../src/faults/decide.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function drawOf(seed: number, operation: string, request: string, attempt: number, purpose: string): number {
  return draw({ seed, key: callKey(operation, bytes(request)), attempt }, purpose);
}

/** Pearson's statistic of numbers from 0 to 1, for equally likely bins. */
function chiSquare(numbers: readonly number[], parts: number): number {
  const counts = Array.from({ length: parts }, () => 0);
  for (const number of numbers) counts[Math.floor(number * parts)] = (counts[Math.floor(number * parts)] ?? 0) + 1;
  const expected = numbers.length / parts;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** The value that the statistic with 99 degrees of freedom exceeds once in ten million times. */
const limit99 = 182;

describe("a draw", () => {
  it("is the same for the same call, and differs by seed, operation, request, attempt and purpose", () => {
    const one = drawOf(1, "a.B.C", "x", 1, "fault");
    expect(drawOf(1, "a.B.C", "x", 1, "fault")).toBe(one);
    const others = [
      drawOf(2, "a.B.C", "x", 1, "fault"),
      drawOf(1, "a.B.D", "x", 1, "fault"),
      drawOf(1, "a.B.C", "y", 1, "fault"),
      drawOf(1, "a.B.C", "x", 2, "fault"),
      drawOf(1, "a.B.C", "x", 1, "latency"),
    ];
    expect(new Set([one, ...others]).size).toBe(6);
  });

  it("separates an operation's id from its request", () => {
    expect(callKey("a.B", bytes("Cx"))).not.toBe(callKey("a.BC", bytes("x")));
    expect(callKey("a.B", bytes(""))).not.toBe(callKey("a.B", bytes("\0")));
  });

  it("is at least 0 and less than 1", () => {
    assert(
      property(integer(), string(), uint8Array(), nat(), (seed, operation, request, attempt) => {
        const number = draw({ seed, key: callKey(operation, request), attempt }, "fault");
        expect(number).toBeGreaterThanOrEqual(0);
        expect(number).toBeLessThan(1);
      }),
    );
  });

  it.each([
    ["requests", (n: number) => draw({ seed: 1, key: callKey("a.B.C", bytes(`${n}`)), attempt: 1 }, "fault")],
    ["attempts", (n: number) => draw({ seed: 1, key: callKey("a.B.C", bytes("")), attempt: n }, "fault")],
    ["seeds", (n: number) => draw({ seed: n, key: callKey("a.B.C", bytes("")), attempt: 1 }, "fault")],
  ])("is uniform over %s, by chi-square", (_what, numberOf) => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => numberOf(index));
    expect(chiSquare(numbers, 100)).toBeLessThan(limit99);
    // Suspiciously even numbers fail too: the statistic is below this once in ten million times.
    expect(chiSquare(numbers, 100)).toBeGreaterThan(45);
  });

  it("is independent of the next attempt, by chi-square of pairs", () => {
    const key = callKey("a.B.C", bytes("x"));
    const numberOf = (attempt: number): number => draw({ seed: 1, key, attempt }, "fault");
    const pairs = Array.from({ length: 20_000 }, (_, index) => {
      const [first, second] = [numberOf(2 * index), numberOf(2 * index + 1)];
      return (Math.floor(first * 10) + second) / 10;
    });
    expect(chiSquare(pairs, 100)).toBeLessThan(limit99);
  });
});

describe("attempts", () => {
  it("are counted for each request, from 1", () => {
    const attempts = new Attempts();
    expect([attempts.next("a"), attempts.next("b"), attempts.next("a"), attempts.next("a")]).toEqual([1, 1, 2, 3]);
  });

  it("are forgotten after many other requests", () => {
    const attempts = new Attempts();
    const others = (from: number, count: number): void => {
      for (let index = from; index < from + count; index += 1) attempts.next(`other ${index}`);
    };
    attempts.next("once");
    attempts.next("again");
    others(0, rememberedAttempts - 2);
    expect(attempts.next("again")).toBe(2);
    others(rememberedAttempts, rememberedAttempts - 1);
    expect(attempts.next("again")).toBe(3);
    expect(attempts.next("once")).toBe(1);
  });
});
