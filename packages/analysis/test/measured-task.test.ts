// Demands of a measured task: the prediction is the model's, and a change moves only what it is a change of.
import { assert, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { tasksOfRun } from "../src/analyse/analyse.ts";
import { callersPrediction, type Callers, type SeenDemands } from "../src/load/call-network.ts";
import {
  busyDemands,
  changedDemands,
  demandsOf,
  saturatedServerMs,
  type MeasuredTask,
} from "../src/load/measured-task.ts";
import { gatherCalls } from "../src/metrics/gathered-calls.ts";
import { exactMva } from "../src/models/exact-mva.ts";
import type { ClosedNetwork } from "../src/models/closed-network.ts";
import type { Arm, Block, Capacity } from "@roundtrip/runs";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const clientMs = 2;
const serverMs = 4;

/** A run in which each task of an arm takes so long, and so much of both processors. */
function tasksOf(
  arms: readonly (readonly [arm: Arm, roundTripMs: number])[],
  capacities: readonly Capacity[] = [],
  ownServerMs: number | null = serverMs,
  openedBy: (arm: Arm) => number = () => 0,
): readonly MeasuredTask[] {
  const all = arms.map(([arm]) => arm);
  const calls = arms.flatMap(([{ callsPerTask }, roundTripMs], arm) =>
    [0, 1].flatMap((task) =>
      Array.from({ length: callsPerTask }, (_, step) => {
        const [startMs, stepMs] = [100 * task, roundTripMs / callsPerTask];
        return {
          arm,
          round: 0,
          block: arm,
          task,
          step,
          startMs: startMs + step * stepMs,
          endMs: startMs + (step + 1) * stepMs,
        };
      }),
    ),
  );
  const blocks = all.map((arm, block): Block => ({
    ...loadedBlock({ armId: arm.id, block, tasks: 2, serverCpuMs: ownServerMs === null ? null : 2 * ownServerMs }),
    calls: 2 * arm.callsPerTask,
    clientCpuMs: 2 * clientMs,
    connectionsOpened: openedBy(arm),
  }));
  const facts = { ...factsOf(all, 1, blocks), capacities };
  return tasksOfRun(facts, gatherCalls(facts, samplesOf(calls)));
}

const helloParts = { stack: "grpc-js", variant: "single", task: "hello" } as const;
const hello = armFor(helloParts);

function demandsOfHello(roundTripMs: number): SeenDemands {
  const [task] = tasksOf([[hello, roundTripMs]]);
  return demandsOf(task as MeasuredTask, serverMs);
}

function predictedMs(seen: SeenDemands, callers: Callers): number {
  return callersPrediction(seen, callers).roundTripMs;
}

const station = (name: string, demandMs: number, kind: "queue" | "delay") => ({
  name,
  kind,
  service: "exponential" as const,
  demandMs,
  phaseTwoMs: 0,
});

/** Written by hand from the demands, not by the code under test. */
function networkOf(
  seen: SeenDemands["alone"],
  { population, thinkMs, haveOwnClients = false }: Callers,
): ClosedNetwork {
  return {
    population,
    thinkMs,
    think: "exponential",
    stations: [
      station("client", seen.clientMs, haveOwnClients ? "delay" : "queue"),
      station("network", seen.delayMs, "delay"),
      station("server", seen.serverMs, "queue"),
    ],
  };
}

describe("a task of a run", () => {
  it("has the processor times of one caller, and the rest of its round trip as a delay", () => {
    expect(demandsOfHello(10).alone).toEqual({ roundTripMs: 10, clientMs, serverMs, delayMs: 4, phaseTwoMs: 0 });
    expect(demandsOfHello(5).alone).toEqual({ roundTripMs: 5, clientMs, serverMs, delayMs: 0, phaseTwoMs: 1 });
  });

  it("is one of a single caller: no other number of callers, no arrivals, no calls at once of the same, and no floor", () => {
    const open = { loop: "open", pacer: "poisson", mostInFlight: 9 } as const;
    const closed = { loop: "closed", pacer: "exponential-think" } as const;
    const arms = [
      hello,
      armFor({ ...helloParts, variant: "many", factors: { callers: 10 } }),
      armFor({ ...helloParts, factors: { arrivals: "poisson", rateHz: 10 }, load: open }),
      armFor({ ...helloParts, task: "think", factors: { callers: 1, thinkMs: 0 }, load: closed }),
      armFor({ ...helloParts, task: "think", factors: { callers: 1, thinkMs: 9 }, load: closed }),
      armFor({
        ...helloParts,
        task: "think",
        variant: "burst",
        callsPerTask: 6,
        factors: { callers: 1, thinkMs: 0 },
        load: closed,
      }),
      armFor({ stack: "floor", variant: "single", task: "hello" }),
      armFor({ ...helloParts, task: "read", variant: "facade" }),
      armFor({ ...helloParts, task: "read", variant: "chatty", callsPerTask: 3 }),
    ];
    const found = tasksOf(arms.map((arm) => [arm, 10] as const));
    expect(found.map(({ arm: { task, variant } }) => `${task} ${variant}`)).toEqual([
      "hello single",
      "think single",
      "read facade",
      "read chatty",
    ]);
  });

  it("takes the server's demand of many callers where a search of its capacity measured it", () => {
    const open = { loop: "open", pacer: "poisson", mostInFlight: 9 } as const;
    const loaded = armFor({ ...helloParts, factors: { arrivals: "poisson", rateHz: 10 }, load: open });
    const closedLoop = { callers: 200, tasksPerSecond: 900, serverCpuMsPerTask: 1, clientUtilisation: 0.5 };
    const { study, task, style, server, client, stack, title } = hello;
    const about = { study, task, style, server, client, stack, title };
    const capacity: Capacity = {
      ...about,
      limitMs: 20,
      foundHz: 10,
      limitedBy: "latency",
      closedLoop,
      probes: [],
      armIds: [loaded.id],
    };
    const [one] = tasksOf(
      [
        [hello, 10],
        [loaded, 10],
      ],
      [capacity],
    );
    const seen = demandsOf(one as MeasuredTask, serverMs);
    expect(seen.server).toEqual([
      { restMs: 6, demandMs: 4 },
      { restMs: 0, demandMs: 1 },
    ]);
    expect(busyDemands(seen)).toMatchObject({ clientMs, serverMs: 1 });
    expect(predictedMs(seen, { population: 1, thinkMs: 0 })).toBeCloseTo(10, 4);
    // A server that never rests takes 1 ms of a task, not 4.
    expect(callersPrediction(seen, { population: 200, thinkMs: 0, haveOwnClients: true }).throughputHz).toBeGreaterThan(
      900,
    );
  });

  it("has handshakes where its calls opened connections: one for TCP, one for TLS, and the client's own", () => {
    const reusing = armFor({ ...helloParts, task: "reusing" });
    const opening = armFor({ ...helloParts, task: "opening", connectRoundTrips: 1, factors: { tls: true } });
    const [one, other] = tasksOf(
      [
        [reusing, 10],
        [opening, 10],
      ],
      [],
      serverMs,
      (arm) => (arm === opening ? 2 : 0),
    );
    expect([one?.handshakesPerCall, other?.handshakesPerCall]).toEqual([0, 3]);
  });

  it("has no demand of a server whose processor time is unknown, except one that is given", () => {
    const [task] = tasksOf([[hello, 10]], [], null);
    expect(task?.serverMs).toBeNull();
    expect(demandsOf(task as MeasuredTask, 3).alone).toMatchObject({ serverMs: 3, delayMs: 5 });
  });
});

describe("a server whose processor time is unknown", () => {
  const [alone] = tasksOf([[hello, 10]], [], null) as [MeasuredTask];
  const cell = { callers: 200, tasksPerSecond: 500, serverCpuMsPerTask: null, clientUtilisation: 0.5 };

  it("takes 1 / X of a task when many callers keep it busy", () => {
    expect(saturatedServerMs({ ...alone, many: cell })).toBe(2);
  });

  it("shows nothing without many callers, behind a busy client, or when its callers hardly wait", () => {
    expect(saturatedServerMs(alone)).toBeNull();
    expect(saturatedServerMs({ ...alone, many: { ...cell, clientUtilisation: 0.95 } })).toBeNull();
    expect(saturatedServerMs({ ...alone, many: { ...cell, tasksPerSecond: 15_000 } })).toBeNull();
  });
});

const thinkTime = integer({ min: 0, max: 500 }).map((tenths) => tenths / 10);
const callersOf = record({
  population: integer({ min: 1, max: 60 }),
  thinkMs: thinkTime,
});

describe("callers of a task with known demands", () => {
  it("are those of mean value analysis, with a client each or one for all", () => {
    const seen = demandsOfHello(10);
    assert(
      property(callersOf, (given) => {
        for (const haveOwnClients of [true, false]) {
          const callers = { ...given, haveOwnClients };
          const plain = exactMva(networkOf(seen.alone, callers)).roundTripMs;
          expect(predictedMs(seen, callers)).toBeCloseTo(plain, 9);
        }
      }),
    );
  });

  it("do not wait for clients of their own, so that the server alone limits them", () => {
    const seen = demandsOfHello(10);
    const many = { population: 500, thinkMs: 0, haveOwnClients: true };
    const own = callersPrediction(seen, many);
    expect(own.throughputHz).toBeCloseTo(1_000 / serverMs, 0);
  });
});

describe("a change", () => {
  const change = { serverSpeed: 2, addedDelayMs: 20 };

  it("halves the server's time and adds the distance, for one caller to the millisecond", () => {
    const changed = changedDemands(demandsOfHello(10), change);
    expect(changed.alone).toEqual({ roundTripMs: 28, clientMs: 2, serverMs: 2, delayMs: 24, phaseTwoMs: 0 });
    expect(predictedMs(changed, { population: 1, thinkMs: 7 })).toBeCloseTo(28, 9);
  });

  it("keeps the share of the second phase", () => {
    const changed = changedDemands(demandsOfHello(5), { serverSpeed: 2, addedDelayMs: 0 });
    expect(changed.alone).toMatchObject({ serverMs: 2, phaseTwoMs: expect.closeTo(4 / 6, 9), delayMs: 0 });
    expect(predictedMs(changed, { population: 1, thinkMs: 0 })).toBeCloseTo(4 - 4 / 6, 9);
  });
});
