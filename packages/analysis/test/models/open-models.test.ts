// The models of open queues: textbook figures, laws that hold for every load, and loads that nobody can carry.
import { assert, double, integer, property, type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { AnalysisError } from "../../src/index.ts";
import { meanWaitMs } from "../../src/load/load-series.ts";
import { mm1, mmc, type OpenPrediction } from "../../src/models.ts";
import { randomFrom } from "../../src/statistics/random.ts";
import { apart } from "./apart.ts";

const share: Arbitrary<number> = double({ min: 0.001, max: 0.995, noNaN: true });
const serviceTime: Arbitrary<number> = double({ min: 0.001, max: 10_000, noNaN: true });

/** The rate that keeps so many servers busy for this share of their time. */
function rateFor(utilisation: number, serviceMs: number, servers = 1): number {
  return (utilisation * servers * 1_000) / serviceMs;
}

function alike(one: OpenPrediction, other: OpenPrediction, relative = 1e-9): void {
  for (const name of [
    "utilisation",
    "waitingProbability",
    "queueLength",
    "present",
    "waitingMs",
    "responseMs",
  ] as const)
    expect(apart(one[name], other[name])).toBeLessThan(relative);
}

function obeysLaws(prediction: OpenPrediction, serviceMs: number, servers: number): void {
  const { rateHz, utilisation, queueLength, present, waitingMs, responseMs } = prediction;
  expect(apart(present, (rateHz * responseMs) / 1_000)).toBeLessThan(1e-9);
  expect(apart(queueLength, (rateHz * waitingMs) / 1_000)).toBeLessThan(1e-9);
  expect(apart(present - queueLength, utilisation * servers)).toBeLessThan(1e-6);
  expect(apart(utilisation * servers, (rateHz * serviceMs) / 1_000)).toBeLessThan(1e-9);
  expect(apart(responseMs - waitingMs, serviceMs)).toBeLessThan(1e-6);
}

describe("textbook figures", () => {
  it("M/M/1 at 80 per second of 10 ms: 50 ms, four requests present, p90 at 2.3 times the mean", () => {
    const prediction = mm1({ rateHz: 80, serviceMs: 10 });
    expect(apart(prediction.responseMs, 50)).toBeLessThan(1e-9);
    expect(apart(prediction.waitingMs, 40)).toBeLessThan(1e-9);
    expect(apart(prediction.present, 4)).toBeLessThan(1e-9);
    expect(apart(prediction.percentilesMs?.p90 ?? 0, 50 * Math.LN10)).toBeLessThan(1e-9);
    expect(apart(prediction.percentilesMs?.p50 ?? 0, 50 * Math.LN2)).toBeLessThan(1e-9);
  });

  it("M/M/2 waits with probability 2ρ² / (1 + ρ), and takes S / (1 − ρ²)", () => {
    const prediction = mmc({ rateHz: 150, serviceMs: 10, servers: 2 });
    expect(apart(prediction.waitingProbability, (2 * 0.75 ** 2) / 1.75)).toBeLessThan(1e-9);
    expect(apart(prediction.responseMs, 10 / (1 - 0.75 ** 2))).toBeLessThan(1e-9);
  });

  it("Erlang's tables: ten servers offered eight wait with probability 0.4092", () => {
    expect(mmc({ rateHz: 8, serviceMs: 1_000, servers: 10 }).waitingProbability).toBeCloseTo(0.4092, 4);
  });

  it("a hundred thousand servers are counted without overflow", () => {
    const { waitingProbability, responseMs } = mmc({ rateHz: 99_900, serviceMs: 1_000, servers: 100_000 });
    expect(waitingProbability).toBeGreaterThan(0.5);
    expect(waitingProbability).toBeLessThan(1);
    expect(responseMs).toBeCloseTo(1_000 + waitingProbability * 10, 6);
  });
});

describe("laws that hold for every stable load", () => {
  it("Little's law, the utilisation law, and response = waiting + service", () => {
    assert(
      property(share, serviceTime, integer({ min: 1, max: 200 }), (load, serviceMs, servers) => {
        const rateHz = rateFor(load, serviceMs);
        obeysLaws(mm1({ rateHz, serviceMs }), serviceMs, 1);
        obeysLaws(mmc({ rateHz: rateFor(load, serviceMs, servers), serviceMs, servers }), serviceMs, servers);
      }),
    );
  });

  it("M/M/c with one server is M/M/1, percentiles and all", () => {
    assert(
      property(share, serviceTime, (load, serviceMs) => {
        const given = { rateHz: rateFor(load, serviceMs), serviceMs };
        const exact = mm1(given);
        alike(mmc({ ...given, servers: 1 }), exact, 1e-8);
        for (const name of ["p50", "p90", "p95", "p99"] as const)
          expect(
            apart(mmc({ ...given, servers: 1 }).percentilesMs?.[name] ?? 0, exact.percentilesMs?.[name] ?? 0),
          ).toBeLessThan(1e-8);
      }),
    );
  });

  it("more load never answers sooner, more servers never later", () => {
    assert(
      property(share, share, serviceTime, integer({ min: 1, max: 100 }), (one, other, serviceMs, servers) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const at = (load: number, count: number): OpenPrediction =>
          mmc({ rateHz: rateFor(load, serviceMs, servers), serviceMs, servers: count });
        const little = 1 + 1e-9;
        expect(at(low, servers).responseMs).toBeLessThanOrEqual(at(high, servers).responseMs * little);
        expect(at(high, servers + 1).responseMs).toBeLessThanOrEqual(at(high, servers).responseMs * little);
        expect(at(low, servers).percentilesMs?.p99).toBeLessThanOrEqual(
          (at(high, servers).percentilesMs?.p99 ?? 0) * little,
        );
      }),
    );
  });
});

describe("invalid questions", () => {
  it("a load at or above capacity is unstable, in words", () => {
    for (const call of [
      () => mm1({ rateHz: 100, serviceMs: 10 }),
      () => mmc({ rateHz: 400, serviceMs: 10, servers: 4 }),
    ])
      expect(call).toThrow(expect.objectContaining({ code: "unstable-load" }));
    expect(() => mm1({ rateHz: 120, serviceMs: 10 })).toThrow(
      "120 arrivals per second of 10 ms each are 120 % of what 1 server can carry, and the queue would grow without end; " +
        "stay below 100 per second, shorten the service, or use mmc with several servers",
    );
    expect(() => mmc({ rateHz: 400, serviceMs: 10, servers: 4 })).toThrow(/, or add servers$/);
  });

  it.each([0, -1, Number.NaN, Infinity, 1e300, 1e-300])(
    "%s is no rate, no service time and no number of servers",
    (value) => {
      for (const call of [
        () => mm1({ rateHz: value, serviceMs: 10 }),
        () => mm1({ rateHz: 10, serviceMs: value }),
        () => mmc({ rateHz: 10, serviceMs: 1, servers: value }),
      ])
        expect(call).toThrow(AnalysisError);
    },
  );
});

describe("a queue that takes given arrivals", () => {
  it("lets who comes alone wait for nobody, and each of those who come at once for all before", () => {
    expect(meanWaitMs([0, 100, 200], 50)).toBe(0);
    expect(meanWaitMs([7, 7, 7, 7], 10)).toBe((0 + 10 + 20 + 30) / 4);
    expect(meanWaitMs([], 10)).toBeNaN();
  });

  it("comes to what Pollaczek and Khinchine say of constant service when arrivals are many and at random", () => {
    const random = randomFrom(7, "arrivals");
    let at = 0;
    const arrivals = Float64Array.from({ length: 400_000 }, () => (at -= Math.log(1 - random()) * 10));
    const waitingMs = (0.7 * 7) / (2 * (1 - 0.7));
    expect(meanWaitMs(arrivals, 7) / waitingMs).toBeCloseTo(1, 1);
  });
});
