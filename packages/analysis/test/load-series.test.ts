// Response times over rates beside models: fed with what one caller was seen to take, void where the load was not kept.
import { idsFromName, type Arm, type ArmLoad, type ClosedLoopCell, type Scalar } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { mm1, mmc } from "../src/models.ts";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const open: ArmLoad = { loop: "open", pacer: "poisson", mostInFlight: 500 };
const demandMs = 4;
const tasks = 50;

interface Wish {
  /** By rate: a mean response time in ms. */
  readonly responses: Readonly<Record<number, number>>;
  readonly factors?: Readonly<Record<string, Scalar>>;
  /** Whether answers report 3 ms of service, give or take a half. */
  readonly isReported?: boolean;
  /** The rate at which a task was not begun. */
  readonly lostAt?: number;
  /** What callers who never paused took of the server, before the rounds. */
  readonly closedLoop?: ClosedLoopCell;
}

/** One caller alone, whose calls take 6 ms, 4 of them of the server's processor; then rates, with an arrival every 1,000 / rate ms. */
function series({ responses, factors = {}, isReported = false, lostAt, closedLoop }: Wish) {
  const alone = armFor({ stack: "grpc-js", variant: "single", factors });
  const rates = Object.keys(responses).map(Number);
  const arms: readonly Arm[] = [
    alone,
    ...rates.map((rateHz) =>
      armFor({ stack: "grpc-js", variant: "single", load: open, factors: { ...factors, arrivals: "poisson", rateHz } }),
    ),
  ];
  const calls = arms.flatMap((_, arm) => {
    const rateHz = rates[arm - 1];
    return Array.from({ length: tasks }, (__, task) => {
      const startMs = task * (rateHz === undefined ? 10 : 1_000 / rateHz);
      const responseMs = rateHz === undefined ? 6 : (responses[rateHz] ?? 0);
      const outcome = rateHz !== undefined && rateHz === lostAt && task === 3 ? "NOT_SENT" : "OK";
      return { arm, round: 0, block: arm, task, step: 0, startMs, endMs: startMs + responseMs, outcome };
    });
  });
  const samples = samplesOf(calls);
  const reported = {
    queueNs: samples.startedAtNs.map(() => 0),
    serviceNs: samples.startedAtNs.map((_, row) => (row % 2 === 0 ? 2.5e6 : 3.5e6)),
  };
  const blocks = arms.map(({ id: armId }, block) =>
    loadedBlock({ armId, block, tasks, serverCpuMs: tasks * demandMs }),
  );
  const about = { study: alone.study, task: alone.task, ...idsFromName(alone.stack), title: alone.title };
  const armIds = arms.slice(1).map(({ id }) => id);
  const capacity = { ...about, limitMs: 20, foundHz: 300, limitedBy: "latency", probes: [], armIds } as const;
  const facts = factsOf(arms, 1, blocks);
  const searched = closedLoop === undefined ? facts : { ...facts, capacities: [{ ...capacity, closedLoop }] };
  return analyse(searched, isReported ? { ...samples, ...reported } : samples).loadSeries;
}

describe("a stack that was measured at rates of arrival and by one caller alone", () => {
  it("has a wait of each model on top of that caller's response time, up to what one processor can do", () => {
    const [one] = series({ responses: { 100: 9, 200: 14, 300: 40 } });
    const mm1At = (rateHz: number): number => 6 + mm1({ rateHz, serviceMs: demandMs }).waitingMs;
    expect(one?.demand).toEqual({
      responseMs: 6,
      demandMs,
      demandOf: "alone",
      threads: 1,
      serviceMs: null,
    });
    expect(one?.points).toMatchObject([
      { rateHz: 100, offered: 0.4, responseMs: 9, predicted: { mm1Ms: mm1At(100), mmcMs: null } },
      { rateHz: 200, offered: 0.8, responseMs: 14, predicted: { mm1Ms: mm1At(200), mmcMs: null } },
      { rateHz: 300, offered: 1.2, responseMs: 40, predicted: { mm1Ms: null, mmcMs: null } },
    ]);
  });

  it("has, above what a processor can do too, the wait of a queue that takes the run's own arrivals", () => {
    const [one] = series({ responses: { 100: 9, 500: 40 } });
    // An arrival every 10 ms waits for nobody; one every 2 ms for 2 ms more than the one before it.
    expect(one?.points.map(({ replayedMs }) => replayedMs)).toEqual([6, expect.closeTo(6 + (2 * (tasks - 1)) / 2, 9)]);
  });

  it("has the percentiles that its calls support", () => {
    const [one] = series({ responses: { 100: 9 } });
    expect(one?.points[0]?.percentiles).toEqual({ p50Ms: 9, p90Ms: 9, p99Ms: null, p999Ms: null });
  });

  it("has a processor for each thread", () => {
    const [one] = series({ responses: { 100: 9 }, factors: { "matrix.threads": 4 }, isReported: true });
    const pool = mmc({ rateHz: 100, serviceMs: 3, servers: 4 });
    expect(one?.demand).toMatchObject({ threads: 4, serviceMs: 3 });
    expect(one?.points[0]?.predicted.mmcMs).toBeCloseTo(6 + pool.waitingMs, 9);
  });

  it("is fed with what calls take of the server when many come at once, where a search has seen that", () => {
    const closedLoop = { callers: 50, tasksPerSecond: 900, serverCpuMsPerTask: 1, clientUtilisation: 0.5 };
    const [one] = series({ responses: { 100: 9, 300: 40 }, closedLoop });
    // Of one caller alone, 300 a second were more than one processor can do.
    expect(one?.demand).toMatchObject({ responseMs: 6, demandMs: 1, demandOf: "many" });
    expect(one?.points.map(({ offered }) => offered)).toEqual([0.1, 0.3]);
    expect(one?.points[1]?.predicted.mm1Ms).toBeCloseTo(6 + mm1({ rateHz: 300, serviceMs: 1 }).waitingMs, 9);
    // A target's server is not seen: what one caller's calls took of it stands.
    const [target] = series({ responses: { 100: 9 }, closedLoop: { ...closedLoop, serverCpuMsPerTask: null } });
    expect(target?.demand).toMatchObject({ demandMs, demandOf: "alone" });
  });

  it("has no response time where the load was not kept, and says why; predictions stay", () => {
    const [one] = series({ responses: { 100: 9, 200: 14 }, lostAt: 200 });
    expect(one?.points.map(({ responseMs }) => responseMs)).toEqual([9, null]);
    expect(one?.points[1]?.voidFor.join()).toContain("1 task of 50");
    expect(one?.points[1]?.predicted.mm1Ms).toBeGreaterThan(6);
  });
});

it("is absent in a run without rates", () => {
  expect(series({ responses: {} })).toEqual([]);
});
