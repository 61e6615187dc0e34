// What load a stack carries within a limit: the crossing of p99 in each round, its median and interval, and what is said where there is none.
import { idsFromName, type Capacity } from "@roundtrip/runs";
import { assert, array, double, property } from "fast-check";
import { sum } from "d3-array";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { crossingHz, rising } from "../src/load/carried-load.ts";
import { responsePercentiles } from "../src/metrics/lateness.ts";
import { orderStatisticInterval } from "../src/statistics/student-t.ts";
import { armFor, factsOf, loadedBlock, syntheticRun } from "./synthetic-run.ts";

const load = { loop: "open", pacer: "poisson", mostInFlight: 500 } as const;
const rates = [1_000, 2_000, 3_000];

interface Wish {
  /** Response time in ms of every call at a rate, in a round. */
  readonly responseMs: (rateHz: number, round: number) => number;
  readonly busyFrom?: number;
  /** The rate of which one task of each block begins late, and by how much. */
  readonly late?: { readonly rateHz: number; readonly byMs: number };
  readonly limitedBy?: Capacity["limitedBy"];
}

function analysed({ responseMs, busyFrom = Infinity, late, limitedBy = "latency" }: Wish) {
  const arms = rates.map((rateHz) =>
    armFor({
      study: "load-calls",
      task: "hello",
      stack: "grpc-js",
      variant: "single",
      load,
      factors: { arrivals: "poisson", rateHz },
    }),
  );
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 20 }, (arm, round) =>
    responseMs(Number(arm.factors["rateHz"]), round),
  );
  const capacity: Capacity = {
    study: "load-calls",
    task: "hello",
    ...idsFromName("grpc-js"),
    title: "gRPC",
    limitMs: 20,
    foundHz: 3_000,
    limitedBy,
    probes: [],
    armIds: arms.map(({ id }) => id),
  };
  const blocks = arms.map(({ id, factors }, block) => ({
    ...loadedBlock({ armId: id, block, tasks: 20, serverCpuMs: 1 }),
    clientUtilisation: Number(factors["rateHz"]) >= busyFrom ? 0.99 : 0.2,
  }));
  const lateArm = rates.findIndex((rateHz) => rateHz === late?.rateHz);
  const intendedAtNs = run.samples.startedAtNs.map((atNs, row) =>
    run.samples.arm[row] === lateArm && run.samples.task[row] === 0 ? atNs - (late?.byMs ?? 0) * 1e6 : atNs,
  );
  const samples = { ...run.samples, intendedAtNs };
  const analysis = analyse({ ...factsOf(arms, 6, blocks), capacities: [capacity] }, samples);
  const [carried] = analysis.carriedLoads;
  return { carried, claims: analysis.claims.filter(({ kind }) => kind === "load") };
}

/** Above a limit of 20 ms from between 2,000 and 3,000 a second on. */
function crossing(rateHz: number): number {
  return rateHz < 3_000 ? 15 : 40;
}

describe("the load that a stack carries", () => {
  it("is where p99 crosses the limit, on a logarithmic scale of p99, with the interval over rounds", () => {
    const { carried, claims } = analysed({
      // From 10 ms at 2,000 to 40 at 3,000: the middle of both logarithms is 20. Rounds differ by up to a tenth.
      responseMs: (rateHz, round) => (rateHz === 1_000 ? 2 : rateHz === 2_000 ? 10 : 40) * (1 + (round - 2.5) / 25),
    });
    expect(carried).toMatchObject({ kind: "measured", rounds: 6, isGeneratorLimit: false });
    expect(carried?.rateHz).toBeCloseTo(2_500, -1);
    expect(carried?.low).toBeLessThan(2_500);
    expect(carried?.high).toBeGreaterThan(2_500);
    expect(claims).toMatchObject([{ bound: "measured", rateHz: carried?.rateHz, low: carried?.low, limitMs: 20 }]);
  });

  it("is at least the highest rate within the limit, where a busy client may be what is beyond it", () => {
    const { carried, claims } = analysed({ responseMs: crossing, busyFrom: 3_000, limitedBy: "generator" });
    expect(carried).toMatchObject({ kind: "at-least", rateHz: 2_000, isGeneratorLimit: true, low: null, high: null });
    expect(claims).toMatchObject([{ bound: "at-least", isGeneratorLimit: true }]);
  });

  it("is known of a busy client whose answers were within the limit even so", () => {
    const { carried } = analysed({ responseMs: () => 5, busyFrom: 1, limitedBy: "generator" });
    expect(carried).toMatchObject({ kind: "at-least", rateHz: 3_000, isGeneratorLimit: true });
  });

  it("is at least the highest rate that was asked for, where that was no limit yet", () => {
    expect(analysed({ responseMs: () => 5 }).claims).toMatchObject([
      { bound: "at-least", rateHz: 3_000, isGeneratorLimit: false },
    ]);
  });

  it("has an open end where the rounds that carried most never crossed the limit", () => {
    const { carried } = analysed({
      responseMs: (rateHz, round) => (rateHz < 3_000 || round === 5 ? 10 : 40),
    });
    expect(carried).toMatchObject({ kind: "measured", low: expect.any(Number), high: null });
  });

  it("is at least what was surely within the limit, where only tasks that began late were beyond it", () => {
    const { carried } = analysed({ responseMs: crossing, late: { rateHz: 2_000, byMs: 20 } });
    expect(carried).toMatchObject({ kind: "at-least", rateHz: 1_000, isGeneratorLimit: true, low: null, high: null });
  });

  it("is measured where beginning late moves the crossing by less than a tenth", () => {
    const { carried } = analysed({ responseMs: crossing, late: { rateHz: 2_000, byMs: 4 } });
    expect(carried).toMatchObject({ kind: "measured", isGeneratorLimit: false });
    expect(carried?.rateHz).toBeGreaterThan(2_000);
  });

  it("is not known of a busy client whose answers were all beyond the limit, and that is said", () => {
    const { carried, claims } = analysed({ responseMs: () => 30, busyFrom: 1 });
    expect(carried).toMatchObject({ kind: "void", rateHz: 0, low: null, high: null, isGeneratorLimit: true });
    expect(claims).toMatchObject([{ bound: "void" }]);
  });
});

describe("p99 over rates", () => {
  it("rises with the rate after neighbours that do not were pooled, and keeps its sum", () => {
    const logs = array(double({ min: -3, max: 6, noNaN: true }), { minLength: 1, maxLength: 9 });
    assert(
      property(logs, (values) => {
        const points = values.map((logMs, index) => ({ rateHz: 100 * (index + 1), logMs }));
        const fitted = rising(points).map(({ logMs }) => logMs);
        expect(fitted).toEqual(fitted.toSorted((one, other) => one - other));
        expect(sum(fitted)).toBeCloseTo(sum(values), 9);
      }),
    );
  });

  it("does not cross the limit where one disturbance at a low rate does", () => {
    const [calm, disturbed] = [Math.log(2), Math.log(30)];
    const logs = [calm, disturbed, calm, Math.log(200)];
    const points = logs.map((logMs, index) => ({ rateHz: 100 * (index + 1), logMs }));
    expect(crossingHz(points, 20)).toBeGreaterThan(300);
  });
});

it("a median of rounds has the interval of order statistics: all six of six, none of five, the 2nd and 8th of nine", () => {
  expect(orderStatisticInterval([6, 1, 5, 2, 4, 3])).toEqual({ median: 3.5, low: 1, high: 6 });
  expect(orderStatisticInterval([1, 2, 3, 4, 5])).toEqual({ median: 3, low: null, high: null });
  expect(orderStatisticInterval([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({ median: 5, low: 2, high: 8 });
});

function blockOf(calls: number) {
  const latenciesMs = Float64Array.from({ length: calls }, (_, call) => call);
  return { blocks: [{ round: 0, block: 0, turn: 0, latenciesMs }] };
}

it("reports a percentile only where five calls took longer", () => {
  expect(responsePercentiles(blockOf(499), [])).toMatchObject({ p90Ms: expect.any(Number), p99Ms: null, p999Ms: null });
  expect(responsePercentiles(blockOf(500), [])).toMatchObject({ p99Ms: expect.any(Number), p999Ms: null });
  expect(responsePercentiles(blockOf(5_000), [])).toMatchObject({ p999Ms: expect.closeTo(4_994, 0) });
});
