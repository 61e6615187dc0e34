// What a load generator has to show before its latencies are told: lateness, what it left out, and how busy it was.
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse.ts";
import type { ArmLoad, Block, Samples } from "../src/run.ts";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const open: ArmLoad = { loop: "open", pacer: "poisson", mostInFlight: 500 };
const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };

interface Wish {
  readonly load?: ArmLoad;
  readonly factors?: Readonly<Record<string, number>>;
  /** How late each of a hundred tasks began. */
  readonly lateMs?: (task: number) => number;
  readonly notSent?: number;
  /** How those end that are not sent. */
  readonly unsent?: "NOT_SENT" | "NO_SOCKET";
  readonly utilisation?: number;
}

/** Two arms whose tasks are answered 10 ms after they began; the first as wished, the second without a load. */
function analysed({
  load,
  factors = {},
  lateMs = () => 0.01,
  notSent = 0,
  unsent = "NOT_SENT",
  utilisation = 0.2,
}: Wish) {
  const arms = [
    armFor({ stack: "grpc-js", variant: "single", factors, ...(load === undefined ? {} : { load }) }),
    armFor({ stack: "rest-express", variant: "single", factors }),
  ];
  const calls = [0, 1].flatMap((arm) =>
    Array.from({ length: 100 + notSent }, (_, task) => {
      const startMs = 10 * task + 0.01;
      const outcome = arm === 0 && task >= 100 ? unsent : "OK";
      return { arm, round: 0, block: arm, task, step: 0, startMs, endMs: startMs + 10, outcome };
    }),
  );
  const even = samplesOf(calls);
  const intendedAtNs = even.startedAtNs.map((atNs, row) => (row < 100 ? atNs - lateMs(row) * 1e6 : atNs));
  const samples: Samples = { ...even, intendedAtNs };
  const blocks = arms.map(({ id: armId }, block): Block => {
    const books = { calls: 100, failedCalls: 0, serverCpuMs: 1, clientCpuMs: 1, wireBytes: 1, connectionsOpened: 0 };
    return { armId, round: 0, block, tasks: 100, elapsedMs: 1_000, clientUtilisation: utilisation, ...books };
  });
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

  it("tells no CPU of a client that waited turn by turn, and that of one that did not", () => {
    expect(analysed({ load: open }).row("clientCpuMsPerTask")).toBeUndefined();
    expect(analysed({ load: closed, factors: { thinkMs: 5 } }).row("clientCpuMsPerTask")).toBeUndefined();
    expect(analysed({ load: closed, factors: { thinkMs: 0 } }).row("clientCpuMsPerTask")?.mean).toBe(0.01);
    expect(analysed({}).row("clientCpuMsPerTask")?.mean).toBe(0.01);
  });
});

describe("a cell is void", () => {
  it("when the generator fell behind: more than a tenth of the p99 of latency may be its own", () => {
    const { analysis, row, warnings } = analysed({ load: open, lateMs: (task) => (task < 5 ? 2 : 0) });
    expect(row("latencyMs")).toBeUndefined();
    expect(row("latencyFromStartMs")).toBeUndefined();
    expect(row("latenessMs")?.p99).toBeCloseTo(2, 6);
    expect(analysis.comparisons).toEqual([]);
    expect(analysis.distributions.map(({ armId }) => armId)).toEqual(["facade/read/rest-express/single"]);
    expect(warnings).toEqual([
      {
        code: "void",
        message:
          "void, no latency is given: the generator fell behind: one task in a hundred began 2 ms late or more, of a p99 of 12 ms",
        armId: "facade/read/grpc-js/single",
      },
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

  it("when even callers who wait for each other could not have begun so late, or there is one alone", () => {
    const late = { load: closed, lateMs: () => 2 };
    expect(analysed({ ...late, factors: { callers: 1, thinkMs: 5 } }).analysis.voidCells).toHaveLength(1);
    const later = { load: closed, factors: { callers: 6, thinkMs: 5 }, lateMs: () => 11 };
    expect(analysed(later).analysis.voidCells).toHaveLength(1);
  });

  it("when the client's core was busy nearly all the time", () => {
    const { row, analysis } = analysed({ load: open, utilisation: 0.95 });
    expect(row("latencyMs")).toBeUndefined();
    expect(analysis.voidCells[0]?.reasons).toEqual(["the client's core was busy for 95 % of the time"]);
  });
});

describe("a cell is not void", () => {
  it.each([
    ["for lateness that an idle machine has", { load: open, lateMs: () => 0.19 }],
    ["for a tenth of its latency", { load: open, lateMs: () => 0.9 }],
    ["for a task in a hundred that began late", { load: open, lateMs: (task: number) => (task === 5 ? 9 : 0) }],
    [
      "for a busy client in a closed loop, whose callers wait for each other by design",
      { load: closed, utilisation: 1 },
    ],
    [
      "for callers who wait for each other when they begin, which is a queue and no fault",
      { load: closed, factors: { callers: 6, thinkMs: 5 }, lateMs: () => 8 },
    ],
    ["without a load", { lateMs: () => 5, utilisation: 1 }],
  ] as const)("%s", (_, wish) => {
    const { analysis, row } = analysed(wish);
    expect(analysis.voidCells).toEqual([]);
    expect(row("latencyMs")?.n).toBe(100);
  });
});

function warned(wish: Wish): readonly string[] {
  return analysed({ utilisation: 0.97, ...wish }).warnings.map(({ code }) => code);
}

describe("a closed loop whose client has no time left", () => {
  it("is warned of, with or without pauses, when there are callers to wait for each other", () => {
    expect(warned({ load: closed, factors: { callers: 9, thinkMs: 5 } })).toEqual(["client-saturated"]);
    expect(warned({ factors: { callers: 9 } })).toEqual(["client-saturated"]);
    expect(warned({ factors: { callers: 9 }, utilisation: 0.5 })).toEqual([]);
    expect(warned({ factors: { callers: 1 } })).toEqual([]);
    expect(warned({})).toEqual([]);
  });
});

it("says of several void cells of one stack in one line at which rates they are, and why the last of them is", () => {
  const rates = [1_000, 2_000, 4_000];
  const arms = rates.map((rateHz) => armFor({ stack: "grpc-js", variant: "single", factors: { rateHz }, load: open }));
  const calls = arms.map((_, arm) => ({ arm, round: 0, block: arm, task: 0, step: 0, startMs: 0, endMs: 5 }));
  const blocks = arms.map(({ id: armId }, block) => ({
    ...loadedBlock({ armId, block, tasks: 1, serverCpuMs: 1 }),
    clientUtilisation: block === 0 ? 0.5 : 0.92 + block / 100,
  }));
  const { warnings } = analyse(factsOf(arms, 1, blocks), samplesOf(calls));
  expect(warnings.filter(({ code }) => code === "void")).toEqual([
    {
      code: "void",
      message:
        "facade, read over grpc-js: 2 of 3 cells under a load are void at 2,000 and 4,000 arrivals a second, and have no latency; of the last of them, the client's core was busy for 94 % of the time",
    },
  ]);
});
