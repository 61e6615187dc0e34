// What a pause costs: the same call in both circumstances, beside what a window that begins small again must cost.
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { pauseCosts } from "../src/distance/transfers.ts";
import type { Analysis } from "../src/analyse/analyse.ts";
import { armFor } from "./synthetic-run.ts";

/** Latencies by round of both variants over one network, of so many bytes there and back. */
function costOf(factors: Arm["factors"], atOnceMs: readonly number[], pausedMs: readonly number[], bytes = 277_000) {
  const measured = [
    { arm: armFor({ stack: "rest", variant: "at-once", factors }), roundMeans: atOnceMs },
    { arm: armFor({ stack: "rest", variant: "after-pause", factors }), roundMeans: pausedMs },
  ];
  const summaries = measured.flatMap(({ arm, roundMeans }) => [
    { armId: arm.id, metric: "latencyMs", mean: roundMeans[0], roundMeans },
    { armId: arm.id, metric: "wireBytesPerTask", mean: 2 * bytes },
  ]);
  const analysis = { arms: measured.map(({ arm }) => arm), summaries } as unknown as Analysis;
  return pauseCosts(analysis)[0];
}

test("a window that begins with ten segments again needs four flights more than one for 277 KB, there and back", () => {
  const cost = costOf({ rttMs: 10, congestionControl: "reno", slowStartAfterIdle: true }, [12], [92]);
  expect(cost).toMatchObject({ predictedMore: 8, moreRoundTrips: 8, low: null, high: null });
});

test("a pause costs nothing if all data fits one flight of ten segments, and one flight per direction if it is a byte more", () => {
  const network = { rttMs: 10, congestionControl: "reno", slowStartAfterIdle: true };
  expect(costOf(network, [12], [12], 14_480)?.predictedMore).toBe(0);
  expect(costOf(network, [12], [32], 14_481)?.predictedMore).toBe(2);
});

test("a pause costs nothing where its window is kept: switched off, or under BBR", () => {
  expect(costOf({ rttMs: 10, congestionControl: "cubic", slowStartAfterIdle: false }, [12], [12])?.predictedMore).toBe(
    0,
  );
  expect(costOf({ rttMs: 10, congestionControl: "bbr", slowStartAfterIdle: true }, [12], [12])?.predictedMore).toBe(0);
});

test("the ratio is taken within rounds, whose common drift it does not see, with an interval from six rounds on", () => {
  const atOnce = [10, 20, 10, 20, 10, 20];
  const cost = costOf(
    { rttMs: 10, slowStartAfterIdle: true },
    atOnce,
    atOnce.map((ms, round) => ms * (round % 3 === 0 ? 5.1 : 4.95)),
  );
  expect(cost?.ratio).toBeCloseTo(5, 1);
  expect(cost?.low).toBeGreaterThan(4.8);
  expect(cost?.high).toBeLessThan(5.2);
});
