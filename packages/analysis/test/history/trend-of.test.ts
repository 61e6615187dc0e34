// A trend: what is a change, what is a break, and what is neither.
import { describe, expect, it } from "vitest";
import { trendOf, type TrendPoint } from "../../src/history/trend-of.ts";
import type { EnvironmentFingerprint } from "../../src/history/environment-fingerprint.ts";

const machine: EnvironmentFingerprint = {
  cpuModel: "one",
  cores: 4,
  kernel: "6.1",
  runtime: "Node.js 24",
  link: "loopback",
};

/** Repeats, a little off their level. */
function points(
  levels: readonly (readonly [level: number, environment?: Partial<EnvironmentFingerprint>])[],
): TrendPoint[] {
  return levels.map(([level, environment], index) => ({
    runId: `run-${index}`,
    revision: `revision-${index}`,
    at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
    environment: { ...machine, ...environment },
    mean: level * (1 + 0.002 * ((index * 7) % 5)),
    low: null,
    high: null,
  }));
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("a trend", () => {
  it("has a change with its size as a ratio, and levels on both sides", () => {
    const { changes, breaks, stretches } = trendOf(points([...times(10, [2] as const), ...times(10, [3] as const)]));
    expect(breaks).toEqual([]);
    expect(changes).toMatchObject([{ index: 10, lastBefore: 9 }]);
    expect(changes[0]?.ratio).toBeCloseTo(1.5, 2);
    expect(changes[0]?.before).toBeCloseTo(2.008, 2);
    expect(stretches.map(({ indices }) => indices.length)).toEqual([10, 10]);
  });

  it("has a break and no change where the environment became another", () => {
    const after = [3, { runtime: "Node.js 26", cores: 8 }] as const;
    const { changes, breaks } = trendOf(points([...times(10, [2] as const), ...times(10, after)]));
    expect(changes).toEqual([]);
    expect(breaks).toEqual([
      {
        index: 10,
        differences: [
          { what: "cores", base: "4", head: "8" },
          { what: "runtime", base: "Node.js 24", head: "Node.js 26" },
        ],
      },
    ]);
  });

  it("is read for each machine where two take turns", () => {
    const turns = times(12, 0).flatMap((_, index) => [
      [index < 6 ? 2 : 3] as const,
      [index < 6 ? 8 : 12, { cpuModel: "two" }] as const,
    ]);
    const { changes, breaks } = trendOf(points(turns));
    expect(changes.map(({ index, lastBefore }) => [index, lastBefore])).toEqual([
      [12, 10],
      [13, 11],
    ]);
    expect(breaks).toHaveLength(23);
  });

  it("has no ratio where a value is 0", () => {
    const levels = [...times(10, [0] as const), ...times(10, [4] as const)];
    const { changes } = trendOf(points(levels).map((point) => ({ ...point, mean: Math.round(point.mean) })));
    expect(changes).toMatchObject([{ index: 10, before: 0, after: 4, ratio: null }]);
  });

  it("takes what differs in the last digits alone for the same", () => {
    const series = points(times(20, [1] as const)).map((point, index) => ({
      ...point,
      mean: index < 10 ? 272 : 272.00000000000006,
    }));
    expect(trendOf(series).changes).toEqual([]);
  });

  it("of one run, or none, is that run", () => {
    expect(trendOf([])).toEqual({ points: [], changes: [], breaks: [], stretches: [] });
    expect(trendOf(points([[2]]))).toMatchObject({ changes: [], breaks: [], stretches: [{ indices: [0], level: 2 }] });
  });
});
