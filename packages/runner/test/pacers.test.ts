// Schedules: what each kind of load promises, as laws that hold for any seed.
import { assert, double, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { closedLoop, constantRate, poisson, ramp, recorded, type Pacer } from "../src/index.ts";
import { refusal } from "./support/short-run.ts";

const someRuns = { numRuns: 20 };
const many = 100_000;
const seeds = integer();

const replayed = recorded({ recording: "a-morning", startsMs: [0, 0, 3.5, 10, 11, 40] });
const open: readonly Pacer[] = [
  poisson({ rateHz: 200 }),
  constantRate({ rateHz: 200 }),
  ramp({ fromHz: 10, toHz: 400, overMs: 1_000 }),
  ramp({ fromHz: 400, toHz: 10, overMs: 20 }),
  ramp({ fromHz: 0, toHz: 100, overMs: 20 }),
  replayed,
];
const closed: readonly Pacer[] = [
  closedLoop({ thinkMs: 12, thinkTime: "constant" }),
  closedLoop({ thinkMs: 12, thinkTime: "exponential" }),
  closedLoop({ thinkMs: 0, thinkTime: "exponential" }),
];

function gapsOf(startsMs: Float64Array): Float64Array {
  return startsMs.map((atMs, task) => atMs - (startsMs[task - 1] ?? 0));
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation over mean. */
function variationOf(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))) / mean;
}

const named = (pacers: readonly Pacer[]) =>
  pacers.map((pacer): [string, Pacer] => [Object.entries(pacer.factors).join(" "), pacer]);

describe.each(named([...open, ...closed]))("a schedule of %s", (_, pacer) => {
  it("is the same for the same seed, and fewer tasks get the first numbers of more", () => {
    assert(
      property(seeds, integer({ min: 1, max: 6 }), (seed, fewer) => {
        const all = pacer.schedule(6, seed);
        expect(all).toHaveLength(6);
        expect(pacer.schedule(6, seed)).toEqual(all);
        expect(pacer.schedule(fewer, seed)).toEqual(all.subarray(0, fewer));
      }),
      someRuns,
    );
  });
});

describe.each(named(open))("arrivals of %s", (_, pacer) => {
  it("come in ascending order", () => {
    assert(
      property(seeds, (seed) => {
        const startsMs = pacer.schedule(6, seed);
        expect(startsMs).toEqual(startsMs.toSorted());
      }),
      someRuns,
    );
  });
});

describe("Poisson arrivals", () => {
  it("come at the rate that was asked for, and their gaps vary as much as they are long: within 2 %", () => {
    assert(
      property(seeds, double({ min: 0.1, max: 1e5, noNaN: true }), (seed, rateHz) => {
        const gapsMs = gapsOf(poisson({ rateHz }).schedule(many, seed));
        expect(Math.abs((meanOf(gapsMs) * rateHz) / 1_000 - 1)).toBeLessThan(0.02);
        expect(Math.abs(variationOf(gapsMs) - 1)).toBeLessThan(0.02);
      }),
      someRuns,
    );
  });

  it("are independent: a gap does not predict the next", () => {
    const gapsMs = gapsOf(poisson({ rateHz: 1_000 }).schedule(many, 5));
    const covariance = meanOf(gapsMs.subarray(1).map((gap, at) => (gap - 1) * ((gapsMs[at] ?? 0) - 1)));
    expect(Math.abs(covariance)).toBeLessThan(0.02);
  });
});

it("arrivals at a constant rate have one gap, whatever the seed, and lose nothing over a million", () => {
  expect([...constantRate({ rateHz: 250 }).schedule(4, 7)]).toEqual([0, 4, 8, 12]);
  expect(constantRate({ rateHz: 3 }).schedule(1_000_000, 7).at(-1)).toBeCloseTo(333_333_000, 6);
});

it("a ramp has as many arrivals by each moment as its rate adds up to, and then stays", () => {
  const startsMs = ramp({ fromHz: 1_000, toHz: 9_000, overMs: 10_000 }).schedule(95_000, 3);
  const by = (atMs: number): number => startsMs.findIndex((startMs) => startMs > atMs);
  // ∫ (1,000 + 800 t) dt in seconds: 15,000 after 5 s, 50,000 after 10 s; 9,000 more in each second after.
  expect(by(5_000) / 15_000).toBeCloseTo(1, 1.5);
  expect(by(10_000) / 50_000).toBeCloseTo(1, 1.5);
  expect(by(12_000) / 68_000).toBeCloseTo(1, 1.5);
});

const refusedLog = (...startsMs: number[]) => refusal(() => recorded({ recording: "log", startsMs }));

it("a recording is refused when it goes back, is no number, or is shorter than what is asked for", () => {
  expect(refusedLog(3, 2)).toBe("bad-plan: the recording log: start 1, 2 ms, is before the previous one");
  expect(refusedLog(0, Number.NaN)).toBe("bad-plan: the recording log: start 1, NaN ms, is not a moment");
  expect(refusedLog(-1)).toBe("bad-plan: the recording log: start 0, -1 ms, is not a moment");
  expect(refusal(() => replayed.schedule(7, 1))).toMatch(/a-morning has 6 starts, and a block of 7 tasks/);
});

it("think times are all alike, or without memory with that mean", () => {
  expect([...closedLoop({ thinkMs: 30, thinkTime: "constant" }).schedule(3, 1)]).toEqual([30, 30, 30]);
  const drawn = closedLoop({ thinkMs: 30, thinkTime: "exponential" }).schedule(many, 1);
  expect(Math.abs(meanOf(drawn) / 30 - 1)).toBeLessThan(0.02);
  expect(Math.abs(variationOf(drawn) - 1)).toBeLessThan(0.02);
});

const bad = [0, -1, Number.NaN, Number.POSITIVE_INFINITY];
it.each(bad)("invalid pacers are refused: a rate of %d a second", (rateHz) => {
  const words = `bad-plan: a rate must be finite and above 0, got ${rateHz} a second`;
  expect(refusal(() => poisson({ rateHz }))).toBe(words);
  expect(refusal(() => constantRate({ rateHz }))).toBe(words);
  expect(refusal(() => ramp({ fromHz: 1, toHz: rateHz, overMs: 1 }))).toMatch(
    /^bad-plan: the last rate of a ramp must be/,
  );
  expect(refusal(() => ramp({ fromHz: 1, toHz: 1, overMs: rateHz }))).toMatch(/^bad-plan: the time of a ramp must be/);
});
