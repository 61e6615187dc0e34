import { describe, expect, it } from "vitest";
import { hasSettled, warmUpRules, type WarmUpRule } from "../src/measure/warm-up.ts";

const rule: WarmUpRule = { callsPerWindow: 100, windowMs: 100, windows: 3, tolerance: 0.05, minMs: 0, maxMs: 1_000 };

describe("warm-up", () => {
  it("has not settled before there are two sets of windows to compare", () => {
    expect(hasSettled([10, 10, 10, 10, 10], rule)).toBe(false);
    expect(hasSettled([10, 10, 10, 10, 10, 10], rule)).toBe(true);
  });

  it("goes on while calls still get faster", () => {
    expect(hasSettled([30, 25, 20, 15, 12, 10], rule)).toBe(false);
  });

  it("looks at the last windows only, so that a slow start is forgiven once it is over", () => {
    expect(hasSettled([90, 50, 20, 10, 10.2, 9.9, 10, 10.1, 9.8], rule)).toBe(true);
  });

  it("lasts as long as was asked for, and gives each stack at least as long to settle", () => {
    const { together, alone } = warmUpRules(5_000);
    expect([together.minMs, together.maxMs, alone.minMs, alone.maxMs]).toEqual([5_000, 5_000, 0, 5_000]);
    expect(warmUpRules(450).alone.maxMs).toBe(750);
  });
});
