// The distance from which a variant is slower than the façade: where two known lines cross.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Crossover } from "../src/distance/distance-lines.ts";
import type { Arm } from "@roundtrip/runs";
import { armFor, syntheticRun } from "./synthetic-run.ts";

type Latency = (rttMs: number, round: number) => number;

/** Latencies by stack and variant. */
function crossoversOf(drawn: Readonly<Record<string, Latency>>, rounds = 6): readonly Crossover[] {
  const arms = Object.keys(drawn).flatMap((name) => {
    const [stack = "", variant = ""] = name.split(" ");
    return [1, 50, 100, 200].map((rttMs) => armFor({ stack, variant, factors: { rttMs } }));
  });
  const latencyMs = ({ stack, variant, factors }: Arm, round: number): number =>
    drawn[`${stack} ${variant}`]?.(Number(factors["rttMs"]), round) ?? 0;
  const { facts, samples } = syntheticRun(arms, { rounds, blocksPerRound: 1, tasksPerBlock: 1 }, latencyMs);
  return analyse(facts, samples).crossovers;
}

/** Differs from round to round by a few hundredths of a millisecond. */
const jitter = (round: number): number => 0.01 * ((round * 7) % 5);

test("a façade that starts behind passes chatty calls where their lines cross, with an interval around it", () => {
  const [row] = crossoversOf({
    "grpc chatty": (rttMs, round) => 2 + 6 * rttMs + jitter(round),
    "rest facade": (rttMs, round) => 102 + rttMs - jitter(round),
  });
  expect(row?.aboveMs).toBeCloseTo(20, 1);
  expect(row?.low).toBeLessThan(20);
  expect(row?.high).toBeGreaterThan(19.9);
  expect(row?.always).toBeNull();
  expect(row).toMatchObject({ nearestMs: 1, farthestMs: 200, isClear: true });
});

/** A variant whose line crosses 2 + rttMs at this distance, at a small angle. */
function crossingAt(rttMs: number): Latency {
  return (at, round) => 2 + at + 0.01 * (at - rttMs) + 1e-3 * jitter(round);
}

test("lines that cross between the two farthest distances cross, and beyond them do not", () => {
  const [within] = crossoversOf({ "grpc chatty": crossingAt(150), "rest facade": (rttMs) => 2 + rttMs });
  expect(within?.aboveMs).toBeCloseTo(150, 1);
  const [beyond] = crossoversOf({ "grpc chatty": crossingAt(210), "rest facade": (rttMs) => 2 + rttMs });
  expect(beyond).toMatchObject({ aboveMs: null, always: "other", isClear: true });
});

test("a façade that is ahead from the start needs no distance", () => {
  const [row] = crossoversOf({
    "grpc chatty": (rttMs, round) => 8 + 6 * rttMs + jitter(round),
    "rest facade": (rttMs) => 2 + rttMs,
  });
  expect(row).toMatchObject({ aboveMs: null, always: "facade" });
});

test("calls one after the other are held against the façade of every stack, calls at once against their own", () => {
  const rows = crossoversOf({
    "grpc facade": (rttMs) => 2 + rttMs,
    "grpc chatty": (rttMs) => 2 + 6 * rttMs,
    "grpc chatty-parallel": (rttMs) => 3 + rttMs,
    "rest facade": (rttMs) => 3 + rttMs,
  });
  expect(rows.map(({ stack, variant, facade }) => `${stack} ${variant}, ${facade.stack}`)).toEqual([
    "grpc chatty, grpc",
    "grpc chatty, rest",
    "grpc chatty-parallel, grpc",
  ]);
});
