// Break-even and slopes on lines whose crossing is known, and levels without a line.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Arm } from "@roundtrip/runs";
import { armFor, syntheticRun } from "./synthetic-run.ts";

const counts = [1, 2, 3, 4, 5, 6];

function callsOf(variant: string, attributes: number): Pick<Arm, "callsPerTask"> {
  return { callsPerTask: variant === "facade" ? 1 : attributes };
}

function breakEvenOf(facade: (count: number) => number, chatty: (count: number) => number, rounds = 6) {
  const arms = ["facade", "chatty"].flatMap((variant) =>
    counts.map((attributes) =>
      armFor({ stack: "grpc-js", title: "gRPC", variant, factors: { attributes }, ...callsOf(variant, attributes) }),
    ),
  );
  const latencyMs = (arm: Arm, round: number) => {
    const count = Number(arm.factors["attributes"]);
    // Rounds differ in speed, and the variants a little more than that.
    const wobble = arm.variant === "facade" ? Math.sin(round) / 100 : Math.cos(3 * round) / 100;
    return (arm.variant === "facade" ? facade(count) : chatty(count)) * (1 + round / 20) + wobble;
  };
  const run = syntheticRun(arms, { rounds, blocksPerRound: 2, tasksPerBlock: 3 }, latencyMs);
  return analyse(run.facts, run.samples).breakEvens[0];
}

test("two lines break even where they cross, and the interval holds the crossing", () => {
  const found = breakEvenOf(
    (count) => 7 + 0.1 * count,
    (count) => 2 * count,
  );
  // 7 + 0.1 k = 2 k
  expect(found?.line?.at).toBeCloseTo(7 / 1.9, 2);
  expect(found?.line?.low).toBeLessThan(7 / 1.9);
  expect(found?.line?.high).toBeGreaterThan(7 / 1.9);
  expect(found).toMatchObject({
    stack: "grpc-js",
    title: "gRPC",
    against: "chatty",
    levels: counts,
    facadeAt: [4, 5, 6],
    otherAt: [1, 2, 3],
    factors: {},
    factor: "attributes",
    line: { side: "above" },
  });
  // The mean over rounds of 1 + round / 20 is 1.125.
  expect(found?.line?.otherMsPerUnit).toBeCloseTo(2 * 1.125, 6);
  expect(found?.line?.facadeMsPerUnit).toBeCloseTo(0.1 * 1.125, 6);
});

test("a façade that is faster everywhere has no crossing, and is always faster", () => {
  expect(
    breakEvenOf(
      () => 1,
      (count) => 3 + count,
    ),
  ).toMatchObject({ line: { at: null }, facadeAt: counts });
});

test("a façade that never catches up has no crossing, and is not always faster", () => {
  expect(
    breakEvenOf(
      (count) => 5 + count,
      (count) => 1 + count / 2,
    ),
  ).toMatchObject({ line: { at: null }, otherAt: counts });
  expect(
    breakEvenOf(
      () => 50,
      (count) => count,
    ),
  ).toMatchObject({ line: { at: null }, otherAt: counts });
});

function noisyMs({ variant, factors }: Arm, round: number): number {
  const level = 1 + Number(factors["attributes"]) / 1_000;
  return variant === "facade" ? level : level * (1.005 + 0.05 * Math.sin(2 * round + level));
}

test("a façade that noise alone puts ahead at every level is not always faster, and no claim is clear", () => {
  const arms = ["facade", "chatty"].flatMap((variant) =>
    counts.map((attributes) =>
      armFor({ stack: "grpc-js", variant, factors: { attributes }, ...callsOf(variant, attributes) }),
    ),
  );
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 }, noisyMs);
  const { breakEvens, claims } = analyse(run.facts, run.samples);
  expect(breakEvens).toMatchObject([{ line: { at: null }, facadeAt: [], otherAt: [] }]);
  expect(claims.filter(({ kind }) => kind === "break-even")).toMatchObject([{ strength: "open", from: null }]);
});

function sweptFactors(named: Partial<Arm>): readonly string[] {
  const arms = ["facade", "chatty"].flatMap((variant) =>
    [1, 6].flatMap((attributes) =>
      [10, 20].map((bytes) => armFor({ stack: "rest", variant, factors: { attributes, bytes }, ...named })),
    ),
  );
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 1 }, () => 1);
  return [...new Set(analyse(run.facts, run.samples).breakEvens.map(({ factor }) => factor))];
}

test("a study has break-evens over the factors that it names alone, and over all work without names", () => {
  expect(sweptFactors({})).toEqual(["attributes", "bytes"]);
  expect(sweptFactors({ breakEvensOver: ["attributes"] })).toEqual(["attributes"]);
  expect(sweptFactors({ breakEvensOver: [] })).toEqual([]);
});

test("over several distances each break-even says at which it holds", () => {
  const arms = [1, 50].flatMap((rttMs) =>
    [1, 6].flatMap((attributes) =>
      ["facade", "chatty"].map((variant) => armFor({ stack: "rest", variant, factors: { attributes, rttMs } })),
    ),
  );
  const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 1 }, (arm) => {
    const { attributes, rttMs } = arm.factors;
    return (1 + Number(rttMs)) * (arm.variant === "facade" ? 1.5 : Number(attributes));
  });
  const claims = analyse(facts, samples).claims.filter(({ kind }) => kind === "break-even");
  expect(claims.map(({ armIds }) => armIds)).toEqual(
    [1, 50].map((rttMs) =>
      arms.filter(({ variant, factors }) => variant === "facade" && factors["rttMs"] === rttMs).map(({ id }) => id),
    ),
  );
});

test("a façade whose cost grows faster is faster up to the crossing, and never beyond it", () => {
  const found = breakEvenOf(
    (count) => 1 + count,
    () => 4.5,
  );
  expect(found).toMatchObject({ line: { side: "below" }, facadeAt: [1, 2, 3], otherAt: [4, 5, 6] });
  expect(found?.line?.at).toBeCloseTo(3.5, 1);
  expect(found?.line?.facadeMsPerUnit).toBeCloseTo(1.125, 6);
  expect(found?.line?.facadeLow).toBeLessThan(1.125);
});

test("levels whose units differ in cost have no line, and claim the levels that were measured alone", () => {
  const calls = new Map([
    [1, 2],
    [2, 7],
    [3, 32],
  ]);
  const callsFor = { facade: () => 1, fine: (level: number) => calls.get(level) ?? 0, whole: (level: number) => level };
  const arms = Object.entries(callsFor).flatMap(([variant, callsOfLevel]) =>
    [...calls.keys()].map((levels) =>
      armFor({ stack: "rest", variant, factors: { levels }, callsPerTask: callsOfLevel(levels) }),
    ),
  );
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 1 }, ({ variant, factors }, round) => {
    const wobble = 1 + Math.sin(round + variant.length) / 100;
    const level = Number(factors["levels"]);
    return wobble * { facade: level, fine: calls.get(level) ?? 0, whole: 2.5 }[variant as "facade"];
  });
  const { breakEvens, claims } = analyse(run.facts, run.samples);
  const [fine, whole] = breakEvens;
  expect(fine).toMatchObject({ against: "fine", facadeAt: [1, 2, 3], otherAt: [] });
  expect(whole).toMatchObject({ against: "whole", facadeAt: [1, 2], otherAt: [3] });
  expect([fine, whole].filter((row) => row?.line !== undefined)).toEqual([]);
  expect(claims.filter(({ kind }) => kind === "break-even")).toMatchObject([
    { strength: "clear", facadeAt: [1, 2, 3], from: null },
    { strength: "clear", otherAt: [3], from: null },
  ]);
});

test("lines that cross although the façade is surely faster at each level have no crossing", () => {
  const found = breakEvenOf(
    (count) => 0.5 * count ** 2,
    (count) => 0.7 * count ** 2,
  );
  expect(found).toMatchObject({ facadeAt: counts, line: { at: null, low: null, high: null } });
});
