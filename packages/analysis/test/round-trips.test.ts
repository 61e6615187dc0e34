// Round trips per call: the published ones come out of the published figures, and what was put in comes out of made-up ones.
import { readFileSync } from "node:fs";
import { assert, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse, type Analysis } from "../src/analyse/analyse.ts";
import { whereToLook, type RoundTrips } from "../src/distance/round-trips.ts";
import type { Arm, Environment } from "@roundtrip/runs";
import { armFor, syntheticRun } from "./synthetic-run.ts";

const study = JSON.parse(readFileSync(new URL("../../../bench/reference/wcf-2009.json", import.meta.url), "utf8")) as {
  readonly design: { readonly roundTripMs: readonly number[] };
  readonly smallPayloadCallsPerSecond_serverWithConnectionReuse: Readonly<Record<string, readonly number[]>>;
};
const distances = study.design.roundTripMs;

function armsAt(given: Partial<Arm> & Pick<Arm, "stack" | "variant">): readonly Arm[] {
  return distances.map((rttMs) => armFor({ ...given, factors: { ...given.factors, rttMs } }));
}

const rttOf = (arm: Arm): number => Number(arm.factors["rttMs"]);

function analysed(
  arms: readonly Arm[],
  latencyMs: (arm: Arm, round: number) => number,
  { rounds = 6, environment = {} }: { readonly rounds?: number; readonly environment?: Partial<Environment> } = {},
): Analysis {
  const { facts, samples } = syntheticRun(arms, { rounds, blocksPerRound: 1, tasksPerBlock: 1 }, latencyMs);
  return analyse({ ...facts, environment: { ...facts.environment, ...environment } }, samples);
}

function only(rows: readonly RoundTrips[]): RoundTrips {
  expect(rows).toHaveLength(1);
  return rows[0] as RoundTrips;
}

describe("the figures of 2009", () => {
  test.each([
    ["NetTcp buffered", 1.02],
    ["BasicHttp buffered", 1.98],
  ])("a small call over %s waited for %d round trips, as was published", (binding, roundTrips) => {
    const printed = study.smallPayloadCallsPerSecond_serverWithConnectionReuse[binding] ?? [];
    const arms = armsAt({ stack: binding, variant: "single" });
    const { roundTrips: rows } = analysed(arms, (arm) => 1_000 / (printed[distances.indexOf(rttOf(arm))] ?? 0));
    expect(only(rows).perCall.toFixed(2)).toBe(String(roundTrips));
  });

  test("every HTTP binding is warned of: two round trips where one is enough", () => {
    const bindings = Object.entries(study.smallPayloadCallsPerSecond_serverWithConnectionReuse);
    const arms = bindings.flatMap(([stack]) => armsAt({ stack, variant: "single" }));
    const { warnings } = analysed(
      arms,
      (arm) =>
        1_000 /
        (study.smallPayloadCallsPerSecond_serverWithConnectionReuse[arm.stack]?.[distances.indexOf(rttOf(arm))] ?? 0),
    );
    const warned = warnings.filter(({ code }) => code === "round-trips-differ").map(({ message }) => message);
    expect(warned).toHaveLength(1);
    for (const [binding] of bindings) {
      expect([binding, warned.join().includes(`over ${binding} `)]).toEqual([binding, binding !== "NetTcp buffered"]);
    }
  });
});

/** A line whose slope differs by a hundredth from round to round. */
const noisy = (arm: Arm, round: number): number => 2 + rttOf(arm) * (1 + 0.01 * (round - 2.5));

describe("a line that was put in", () => {
  test("comes out, whatever its slope and intercept", () => {
    assert(
      property(double({ min: 0.5, max: 20, noNaN: true }), double({ min: 0, max: 50, noNaN: true }), (k, ms) => {
        const arms = armsAt({ stack: "rest", variant: "single" });
        const row = only(analysed(arms, (arm) => ms + k * rttOf(arm)).roundTrips);
        expect(row.perCall).toBeCloseTo(k, 4);
        expect(row.interceptMs).toBeCloseTo(ms, 3);
      }),
      { numRuns: 20 },
    );
  });

  test("has an interval over rounds that holds it, and none below six rounds", () => {
    const arms = armsAt({ stack: "rest", variant: "single" });
    const row = only(analysed(arms, noisy).roundTrips);
    expect(row.low).toBeLessThan(1);
    expect(row.high).toBeGreaterThan(1);
    expect(row.asPredicted).toBe(true);
    expect(only(analysed(arms, noisy, { rounds: 5 }).roundTrips).low).toBeNull();
  });

  test("is taken against the round-trip times that were measured, not those asked for", () => {
    const arms = armsAt({ stack: "rest", variant: "single" });
    const links = distances.map((rttMs) => ({ kind: "kernel", rttMs: 1.1 * rttMs, mtuBytes: 1_500, asked: { rttMs } }));
    const row = only(analysed(arms, (arm) => 1.1 * rttOf(arm), { environment: { links } }).roundTrips);
    expect(row.perCall).toBeCloseTo(1, 6);
  });

  test("is shared by the calls that wait for each other: six chatty calls are one round trip each, six at once one together", () => {
    const chatty = armsAt({ stack: "rest", variant: "chatty", callsPerTask: 6 });
    expect(only(analysed(chatty, (arm) => 6 * rttOf(arm)).roundTrips).perCall).toBeCloseTo(1, 6);
    const parallel = armsAt({ stack: "rest", variant: "chatty-parallel", callsPerTask: 6 });
    expect(only(analysed(parallel, rttOf).roundTrips).perCall).toBeCloseTo(1, 6);
  });
});

test("the first call of fresh processes has a line of its own, with the handshake and what its client waits for besides", () => {
  const arms = armsAt({ stack: "grpc", variant: "single", connectRoundTrips: 1 });
  const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 1 }, rttOf);
  const firstCalls = arms.flatMap((arm) =>
    [0, 1, 2, 3, 4, 5].map((round) => ({ armId: arm.id, round, firstCallMs: 40 + 3 * rttOf(arm) })),
  );
  const { roundTrips: rows, claims } = analyse({ ...facts, firstCalls }, samples);
  expect(claims.filter(({ kind }) => kind === "round-trips")).toMatchObject([
    { isFirstCall: false, predicted: 1 },
    { isFirstCall: true, predicted: 3 },
  ]);
  expect(rows.map(({ isFirstCall, predicted, asPredicted }) => [isFirstCall, predicted, asPredicted])).toEqual([
    [false, 1, true],
    [true, 3, true],
  ]);
  expect(rows[1]?.perCall).toBeCloseTo(3, 6);
});

test("a call that waits longer than it must is warned of, with what to look at", () => {
  const arms = armsAt({ stack: "rest", variant: "single" });
  const { warnings, roundTrips } = analysed(arms, (arm) => 1.2 * rttOf(arm));
  expect(only(roundTrips).asPredicted).toBe(false);
  const warned = warnings.filter(({ code }) => code === "round-trips-differ");
  expect(warned.map(({ message }) => message)).toEqual([
    "more or fewer round trips were waited for than predicted: read over rest 1.20 (95 % interval 1.20 to 1.20) where 1 is predicted; " +
      "look at connections, at windows (of TCP and of HTTP/2), at lost packets, and at a link or processor that was busy",
  ]);
});

test("bulk data is reported with the bytes per round trip, which show the window, and too few round trips with the link", () => {
  const bulk = { bytesPerCall: 1_050_000, predicted: 4.85, predictedMost: 4.85 };
  expect(whereToLook({ ...bulk, perCall: 30 } as RoundTrips)).toMatch(/^each round trip carried 35 KB: look at /);
  expect(whereToLook({ ...bulk, perCall: 3.9 } as RoundTrips)).toMatch(/^look at whether the link/);
});
