// What a load generator has to show before its latencies are reported: lateness, what it left out, and how busy it was.
import { array, assert, double, oneof, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { ArmLoad, Samples } from "@roundtrip/runs";
import { quantile } from "../src/statistics/describe-samples.ts";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const open: ArmLoad = { loop: "open", pacer: "poisson", mostInFlight: 500 };
const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };

interface Wish {
  readonly load?: ArmLoad;
  readonly factors?: Readonly<Record<string, number>>;
  readonly lateMs?: (task: number) => number;
  /** From its begin to its answer. */
  readonly takesMs?: (task: number) => number;
  readonly tasks?: number;
  readonly notSent?: number;
  /** How those end that are not sent. */
  readonly unsent?: "NOT_SENT" | "NO_SOCKET";
  readonly utilisation?: number;
}

/** Two arms, each of a hundred tasks unless wished otherwise; the first as wished, the second without a load. Tasks are answered 10 ms after they began. */
function analysed({
  load,
  factors = {},
  lateMs = () => 0.01,
  takesMs = () => 10,
  tasks = 100,
  notSent = 0,
  unsent = "NOT_SENT",
  utilisation = 0.2,
}: Wish) {
  const arms = [
    armFor({ stack: "grpc-js", variant: "single", factors, ...(load === undefined ? {} : { load }) }),
    armFor({ stack: "rest-express", variant: "single", factors }),
  ];
  const calls = [0, 1].flatMap((arm) =>
    Array.from({ length: tasks + notSent }, (_, task) => {
      const startMs = 10 * task + 0.01;
      const outcome = arm === 0 && task >= tasks ? unsent : "OK";
      return { arm, round: 0, block: arm, task, step: 0, startMs, endMs: startMs + takesMs(task), outcome };
    }),
  );
  const even = samplesOf(calls);
  const intendedAtNs = even.startedAtNs.map((atNs, row) => (row < tasks ? atNs - lateMs(row) * 1e6 : atNs));
  const samples: Samples = { ...even, intendedAtNs };
  const blocks = arms.map(({ id: armId }, block) =>
    loadedBlock({ armId, block, tasks, serverCpuMs: 1, elapsedMs: 1_000, clientUtilisation: utilisation }),
  );
  const analysis = analyse(factsOf(arms, 1, blocks), samples);
  const [armId = ""] = arms.map(({ id }) => id);
  const row = (metric: string) => analysis.summaries.find((one) => one.armId === armId && one.metric === metric);
  const warnings = analysis.warnings.filter((one) => one.armId === armId && one.code !== "too-few-rounds");
  return { analysis, row, warnings };
}

describe("an arm with a load", () => {
  it("says how late its tasks began, and its latency from the intended and from the actual start", () => {
    const { row, analysis, warnings } = analysed({ load: open, lateMs: (task) => (task === 7 ? 0.15 : 0.05) });
    expect(row("latenessMs")).toMatchObject({ n: 100, p50: expect.closeTo(0.05, 6), max: expect.closeTo(0.15, 6) });
    expect(row("latencyMs")).toMatchObject({ p50: expect.closeTo(10.05, 6), max: expect.closeTo(10.15, 6) });
    expect(row("latencyFromStartMs")).toMatchObject({ p50: expect.closeTo(10, 6), max: expect.closeTo(10, 6) });
    expect(row("clientUtilisation")?.mean).toBe(0.2);
    expect(analysis.voidCells).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("reports no CPU of a client that waited turn by turn, and that of one that did not", () => {
    expect(analysed({ load: open }).row("clientCpuMsPerTask")).toBeUndefined();
    expect(analysed({ load: closed, factors: { thinkMs: 5 } }).row("clientCpuMsPerTask")).toBeUndefined();
    expect(analysed({ load: closed, factors: { thinkMs: 0 } }).row("clientCpuMsPerTask")?.mean).toBe(0.01);
    expect(analysed({}).row("clientCpuMsPerTask")?.mean).toBe(0.01);
  });
});

describe("a cell is void", () => {
  it("when the generator was steadily behind: more than a tenth of the mean latency may be its own", () => {
    const { analysis, row, warnings } = analysed({ load: open, lateMs: (task) => 1.9 + task / 500 });
    expect(row("latencyMs")).toBeUndefined();
    expect(row("latencyFromStartMs")).toBeUndefined();
    expect(row("latenessMs")?.mean).toBeCloseTo(1.999, 6);
    expect(analysis.comparisons).toEqual([]);
    expect(analysis.distributions.map(({ armId }) => armId)).toEqual(["facade/read/rest-express/single"]);
    expect(warnings).toEqual([
      {
        code: "void",
        message:
          "void, no latency is given: the generator fell behind: of a mean latency of 12 ms, 2 ms come of tasks that began late",
        armId: "facade/read/grpc-js/single",
      },
    ]);
  });

  it("when half of its tasks began late enough to move the median, whatever long ones make of the mean", () => {
    const { analysis } = analysed({
      load: open,
      lateMs: (task) => (task < 60 ? 1.5 : 0),
      takesMs: (task) => (task < 99 ? 10 : 2_000),
    });
    expect(analysis.voidCells[0]?.reasons).toEqual([
      "the generator fell behind: of a median latency of 11.5 ms, 1.5 ms come of tasks that began late",
    ]);
  });

  it("when it left out tasks that came on top of its bound: what it has lacks the worst", () => {
    const { row, analysis } = analysed({ load: open, notSent: 3 });
    expect(row("latencyMs")).toBeUndefined();
    expect(analysis.voidCells[0]?.reasons).toEqual(["3 tasks of 103 came while 500 were under way and were not begun"]);
  });

  it("when a call found no socket on the client's machine, and says what can be done", () => {
    const { row, analysis } = analysed({ load: open, notSent: 3, unsent: "NO_SOCKET" });
    expect(row("latencyMs")).toBeUndefined();
    expect(analysis.voidCells[0]?.reasons).toEqual([
      "3 calls of 103 found no socket on the client's machine: raise the limit of open files (ulimit -n), or make fewer calls at once",
    ]);
  });

  it.each([1, 6])("when even %i callers who wait in their client could not have begun so late", (callers) => {
    const { analysis } = analysed({ load: closed, factors: { callers, thinkMs: 5 }, lateMs: () => 11 });
    expect(analysis.voidCells).toHaveLength(1);
  });

  it("when the client's core was busy nearly all the time", () => {
    const { row, analysis } = analysed({ load: open, utilisation: 0.95 });
    expect(row("latencyMs")).toBeUndefined();
    expect(analysis.voidCells[0]?.reasons).toEqual(["the client's core was busy for 95 % of the time"]);
  });
});

it.each([
  ["for tasks that all began late by less than a tenth", { load: open, lateMs: () => 1.1 }],
  ["for a few tasks that began late", { load: open, lateMs: (task: number) => (task < 4 ? 9 : 0) }],
  ["for a busy client in a closed loop, whose callers wait for each other by design", { load: closed, utilisation: 1 }],
  [
    "for callers who wait for each other when they begin, which is a queue and no fault",
    { load: closed, factors: { callers: 6, thinkMs: 5 }, lateMs: () => 8 },
  ],
  [
    "for a caller who is alone and waits for what else the client does, which its next call would have waited for, too",
    { load: closed, factors: { callers: 1, thinkMs: 5 }, lateMs: () => 8 },
  ],
  ["without a load", { lateMs: () => 5, utilisation: 1 }],
] as const)("a cell is not void %s", (_, wish) => {
  const { analysis, row } = analysed(wish);
  expect(analysis.voidCells).toEqual([]);
  expect(row("latencyMs")?.n).toBe(100);
});

function untold(wish: Wish) {
  const { analysis, row, warnings } = analysed(wish);
  const latency = row("latencyMs");
  return { late: analysis.lateTails, isVoid: analysis.voidCells.length > 0, latency, warnings };
}

/** Whether more than a tenth of a figure is lateness, where all tasks take ten milliseconds from their actual start. */
function isMoved(lateMs: number): boolean {
  return lateMs > 0.1 * (10 + lateMs);
}

describe("a percentile is withheld", () => {
  it("where collecting garbage once made the slowest of five hundred calls late; the mean and the median are", () => {
    const { late, isVoid, latency, warnings } = untold({
      load: open,
      tasks: 500,
      lateMs: (task) => (task >= 100 && task < 106 ? 10 - (task - 100) : 0),
    });
    expect(isVoid).toBe(false);
    expect(late).toEqual([{ armId: "facade/read/grpc-js/single", percentiles: ["p99"] }]);
    expect(latency).toMatchObject({ p90: expect.closeTo(10, 6), p95: expect.closeTo(10, 6), p99: null });
    expect(latency?.mean).toBeCloseTo(10.09, 6);
    expect(warnings).toEqual([
      {
        code: "late-tail",
        message:
          "p99 is not reported for one cell of read over grpc-js (facade): a few tasks began late, by enough to move it; the mean and the median stand",
        armId: "facade/read/grpc-js/single",
      },
    ]);
  });

  it("where it says the same from either start it is reported, however late a task began that was answered soon", () => {
    const { late, latency } = untold({
      load: open,
      lateMs: (task) => (task < 4 ? 9 : 0),
      takesMs: (task) => (task < 4 ? 1 : 10),
    });
    expect(late).toEqual([]);
    expect(latency?.p99).toBeCloseTo(10, 6);
  });

  it("of any arm without a load is reported", () => {
    expect(untold({ lateMs: (task) => (task < 4 ? 30 : 0) }).late).toEqual([]);
  });

  it("whenever it differs by more than a tenth from either start, and never otherwise", () => {
    // A few tasks of a hundred, by much, or all of them, by little.
    const few = array(double({ min: 0, max: 12, noNaN: true }), { maxLength: 8 });
    const all = array(double({ min: 0.5, max: 2, noNaN: true }), { minLength: 100, maxLength: 100 });
    const lateness = oneof(few, all).map((late) => Array.from({ length: 100 }, (_, task) => late[task] ?? 0));
    assert(
      property(lateness, (late) => {
        const { analysis, row } = analysed({ load: open, lateMs: (task) => late[task] ?? 0 });
        const summary = row("latencyMs");
        const sorted = Float64Array.from(late).toSorted();
        const mean = late.reduce((sum, ms) => sum + ms, 0) / late.length;
        expect(analysis.voidCells.length > 0).toBe(isMoved(mean) || isMoved(quantile(sorted, 0.5)));
        expect(summary?.p99 === null).toBe(summary !== undefined && isMoved(quantile(sorted, 0.99)));
      }),
      { numRuns: 60 },
    );
  });
});

function warned(wish: Wish): readonly string[] {
  return analysed({ utilisation: 0.97, ...wish }).warnings.map(({ code }) => code);
}

it("a closed loop whose client has no time left is warned of, with or without pauses, when there are callers to wait for each other", () => {
  expect(warned({ load: closed, factors: { callers: 9, thinkMs: 5 } })).toEqual(["client-saturated"]);
  expect(warned({ factors: { callers: 9 } })).toEqual(["client-saturated"]);
  expect(warned({ factors: { callers: 9 }, utilisation: 0.5 })).toEqual([]);
  expect(warned({ factors: { callers: 1 } })).toEqual([]);
  expect(warned({})).toEqual([]);
});

it("says of several void cells of one stack in one line at which rates they are, and why the last of them is", () => {
  const rates = [1_000, 4_000, 2_000];
  const arms = rates.map((rateHz) => armFor({ stack: "grpc-js", variant: "single", factors: { rateHz }, load: open }));
  const calls = arms.map((_, arm) => ({ arm, round: 0, block: arm, task: 0, step: 0, startMs: 0, endMs: 5 }));
  const blocks = arms.map(({ id: armId }, block) => {
    const clientUtilisation = block === 0 ? 0.5 : 0.92 + block / 100;
    return loadedBlock({ armId, block, tasks: 1, serverCpuMs: 1, clientUtilisation });
  });
  const { warnings } = analyse(factsOf(arms, 1, blocks), samplesOf(calls));
  expect(warnings.filter(({ code }) => code === "void")).toEqual([
    {
      code: "void",
      message:
        "2 of 3 cells of read over grpc-js (facade) are void at 2,000 and 4,000 arrivals a second: they have no latency; of the last of them, the client's core was busy for 94 % of the time",
    },
  ]);
});
