// The evidence from real machines: that jobs are chosen, kept and replayed as the page says, and that servers do what is said to be added to them.
import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { physicalTables } from "../../.ci/gate-physical-tables.ts";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { nothing, type Addition } from "../self/gate/physical/addition.ts";
import { calibrationOf } from "../self/gate/physical/calibrate.ts";
import { turnsFor } from "../self/gate/physical/calibration.ts";
import { changeNamed, changes } from "../self/gate/physical/changes.ts";
import { stackNames, type JobCase, type PhysicalJob } from "../self/gate/physical/physical-job.ts";
import { nextCase } from "../self/gate/physical/plan.ts";
import { replayed, shifts } from "../self/gate/physical/replay.ts";
import { cellRounds, type ArmRounds } from "../self/gate/physical/arm-rounds.ts";
import { physicalHeadToHead } from "../self/gate/physical/physical-head-to-head.ts";
import { roundNoise } from "../self/gate/physical/round-noise.ts";
import { store, storedJobs } from "../self/gate/physical/stored-jobs.ts";
import { drawRounds, poolsOf } from "../self/gate/physical/stored-rounds.ts";

const calibration = {
  stack: "rest-express",
  serverCpuMs: { hello: 0.1, read: 0.2 },
  latencyMs: { hello: 1, read: 2 },
  cpuMsPerTurn: 0.000_001,
};

function compared(task: string, metric: string, base: number, head: number) {
  return { task, metric, base: { p50: base }, ratio: head / base };
}

describe("the jobs of a real machine", () => {
  it("take turns: every case runs, important ones more often, also after an interruption", () => {
    const done: JobCase[] = [];
    while (done.length < 60) done.push(nextCase(done));
    expect(new Set(done.map(({ change }) => change))).toEqual(new Set(changes.map(({ name }) => name)));
    expect(new Set(done.map(({ stack }) => stack))).toEqual(new Set(stackNames));
    const often = done.filter(
      ({ change, isWhole, hasNeighbour }) => change === "same artefact" && !isWhole && !hasNeighbour,
    );
    expect(often.length).toBeGreaterThan(done.filter(({ change }) => change === "server CPU +2 %").length);
    expect(done.some(({ isWhole }) => isWhole)).toBe(true);
    expect(done.some(({ hasNeighbour }) => hasNeighbour)).toBe(true);
  });

  it("add nothing where it cannot be added: gRPC has one connection for all calls", () => {
    const done: JobCase[] = [];
    while (done.length < 40) done.push(nextCase(done, ["injected"], ["grpc-js"]));
    expect(done.map(({ change }) => change)).not.toContain("a connection for each call");
  });

  it("know what calls cost, and a turn of the loop, from a comparison of a server with itself and 15,000 turns more", () => {
    const cellsThere = [
      compared("hello", "latencyMs", 1, 1.1),
      compared("hello", "serverCpuMsPerTask", 0.1, 0.114),
      compared("read", "latencyMs", 2, 2.1),
      compared("read", "serverCpuMsPerTask", 0.2, 0.216),
    ];
    const { cpuMsPerTurn, ...costs } = calibrationOf("rest-express", cellsThere);
    expect(cpuMsPerTurn).toBeCloseTo(0.000_001, 12);
    expect({ ...costs, cpuMsPerTurn: 0.000_001 }).toEqual(calibration);
  });

  it("add a share of a call's own processor time, to head for a loss and to base for a gain", () => {
    expect(turnsFor(0.05, calibration)).toEqual({
      "roundtrip.v1.HelloService.SayHello": 5_000,
      "roundtrip.v1.CustomerService.GetCustomer": 10_000,
    });
    const [slower, faster] = [changeNamed("server CPU +5 %"), changeNamed("server CPU −10 %")];
    expect(slower.base(calibration)).toEqual(nothing);
    expect(slower.head(calibration)).toEqual({ kind: "burn", turns: turnsFor(0.05, calibration) });
    // 0.1 ms is 10 % less than 0.1111 ms.
    expect(faster.base(calibration)).toEqual({ kind: "burn", turns: turnsFor(1 / 9, calibration) });
    expect(faster.head(calibration)).toEqual(nothing);
  });
});

const cells = [
  {
    stack: "grpc-js",
    task: "hello",
    metric: "latencyMs",
    ratio: 1,
    low: 0.98,
    high: 1.02,
    state: "not-worse",
    truth: 1,
  },
  {
    stack: "grpc-js",
    task: "hello",
    metric: "serverCpuMsPerTask",
    ratio: 1,
    low: null,
    high: 0.99,
    state: "not-worse",
    truth: 1,
  },
] as const;

const passed: PhysicalJob = {
  change: "same artefact",
  stack: "grpc-js",
  isWhole: false,
  hasNeighbour: false,
  kind: "null",
  startedAt: "2026-01-01T00:00:00.000Z",
  seed: 1,
  version: "v1",
  machine: "a machine",
  loadBefore: 0,
  verdict: "pass",
  reason: "",
  rounds: 10,
  seconds: 20,
  confirmationSeconds: 0,
  cells,
  exact: [],
  logRatios: [],
  armRounds: [],
  confirmation: null,
};

function job(logRatios: PhysicalJob["logRatios"]): PhysicalJob {
  return { ...passed, logRatios };
}

/** Rounds that turn their sign each time, and grow. */
const rising = Array.from({ length: 10 }, (_, round) => [(round % 2 === 0 ? 1 : -1) * (round + 1), 0.1 * (round + 1)]);
const slower = cells.map((cell) => ({ ...cell, low: 1.01, high: 1.02 }));
const jobs = [job(rising), { ...job([...rising.slice(1), [null, 0.3]]), cells: slower }];

describe("what was measured", () => {
  it("is kept when a program dies while it writes: the line that was cut off is lost, and no other", () => {
    using directory = temporaryFolder("stored");
    const path = join(directory.path, "jobs.jsonl");
    store(job([]), path);
    writeFileSync(path, `${readFileSync(path, "utf8")}{"kind":"null","cha`);
    store(job([[1, 2]]), path);
    expect(storedJobs(path).map(({ logRatios }) => logRatios)).toEqual([[], [[1, 2]]]);
  });

  it("is drawn round by round with all cells of a round together, or job by job in the order of its rounds", () => {
    const [pool] = poolsOf(jobs);
    if (pool === undefined) throw new Error("no pool");
    let state = 0.5;
    const random = (): number => (state = (state * 7.13) % 1);
    const rounds = drawRounds(pool, "whole rounds", 30, random);
    expect(rounds).toHaveLength(30);
    const whole = rounds.filter(([one]) => Number.isFinite(one));
    for (const [one = 0, other = 0] of whole) expect(Math.abs(one)).toBeCloseTo(10 * Math.abs(other));
    const [first, second] = drawRounds(pool, "whole jobs", 10, random);
    expect(Math.abs(second?.[1] ?? 0) - Math.abs(first?.[1] ?? 0)).toBeCloseTo(0.1);
  });

  it("is no pool to draw from while it is a few rounds", () => {
    expect(poolsOf([job(rising.slice(0, 5))])).toEqual([]);
  });

  it("reports how rounds scatter, and that they resemble or oppose each other", () => {
    const [latency, cpu] = roundNoise(jobs);
    expect(latency?.rounds).toBe(20);
    expect(latency?.autocorrelation).toBeLessThan(-0.5);
    expect(cpu?.autocorrelation).toBeGreaterThan(0.5);
    expect(cpu?.betweenJobs).toBeGreaterThan(2);
  });

  it("fails nobody when equal versions are put together of it, finds what is added, and is the same again", () => {
    const quiet = job(
      Array.from({ length: 40 }, (_, round) => [0.01 * Math.sin(7 * round), 0.01 * Math.cos(5 * round)]),
    );
    const [pool] = poolsOf([quiet]);
    const [equal, , dearer] = shifts;
    if (pool === undefined) throw new Error("no pool");
    const none = replayed(pool, "whole rounds", { ...equal, jobs: 40 }, 1);
    expect(none).toMatchObject({ failed: 0, blocked: 0, storedJobs: 1, storedRounds: 40 });
    expect(replayed(pool, "whole rounds", { ...equal, jobs: 40 }, 1)).toEqual(none);
    expect(replayed(pool, "whole jobs", { ...dearer, effect: 0.2, jobs: 40 }, 1).blocked).toBe(40);
  });

  it("stands in tables: what was said, and how many intervals hold the truth", () => {
    const replay = { seed: 1, storedJobs: 2, rows: [] };
    expect(physicalTables(jobs, replay)["physical-null"]?.()).toContain(
      "| same artefact, one stack | 2 | 0 | 2 | 0 | 0 | 84.2 % | 1 of 4 |",
    );
    const [one] = jobs;
    if (one === undefined) throw new Error("no jobs");
    // It was slower before, and its confirmation came to nothing; the other ended with a fault.
    const unconfirmed = { ...one, verdict: "inconclusive", reason: "a loss was found and not confirmed: why" } as const;
    const faulty = { ...one, verdict: "none", reason: "a server did not start" } as const;
    expect(physicalTables([unconfirmed, faulty], replay)["physical-null"]?.()).toContain(
      "| same artefact, one stack | 2 | 0 | 0 | 1 (and 1 without a verdict) | 1 |",
    );
    expect(() => physicalTables(jobs, { ...replay, storedJobs: 3 })).toThrow("pnpm gate-physical --replay");
  });
});

const processes: ChildProcess[] = [];

function program(name: string): string {
  return join(import.meta.dirname, "../self/processes", name);
}

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

async function answerOf(url: string): Promise<Answer> {
  const [response] = (await once(get(`${url}/v1/hello?name=World`), "response")) as [NodeJS.ReadableStream & Answer];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { headers: response.headers, body };
}

async function served(addedTo: string, addition: Addition): Promise<Answer> {
  const words = [program("changed-server.ts"), "rest-express", addedTo, JSON.stringify(addition)];
  const server = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  processes.push(server);
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  return answerOf((JSON.parse(line) as { readonly url: string }).url);
}

describe("a changed server", () => {
  afterAll(() => processes.forEach((child) => child.kill("SIGKILL")));

  it("answers what it always does, with what is added, on the stack that it is added to", async () => {
    const padding = { kind: "padding", bytes: 300 } as const;
    const [plain, elsewhere, padded, closed, late] = await Promise.all([
      served("rest-express", nothing),
      served("grpc-js", padding),
      served("rest-express", padding),
      served("rest-express", { kind: "reconnect" }),
      served("rest-express", { kind: "tail", oneIn: 1, ms: 5 }),
    ]);
    for (const { body } of [elsewhere, padded, closed, late]) expect(body).toBe(plain.body);
    expect(plain.headers).toMatchObject({ connection: "keep-alive" });
    expect(elsewhere.headers).not.toHaveProperty("x-padding");
    expect(padded.headers).toMatchObject({ "x-padding": "p".repeat(300) });
    expect(closed.headers).toMatchObject({ connection: "close" });
  });

  it("has a neighbour process that ends with the process that started it", async () => {
    const neighbour = fork(program("noisy-neighbour.ts"), ["1"], { stdio: "ignore" });
    processes.push(neighbour);
    await once(neighbour, "spawn");
    neighbour.disconnect();
    const [status] = (await once(neighbour, "exit")) as [number];
    expect(status).toBe(0);
  });
});

/** Thirty rounds of one cell: what head is more than base, and how both scatter. */
function armRounds(ratio: number, scatter: number): PhysicalJob["armRounds"] {
  return Array.from({ length: 30 }, (_, round): readonly ArmRounds[] => {
    const off = 1 + scatter * Math.sin(7 * round);
    return [[off, 0.01, 400, ratio * (1 + scatter * Math.cos(5 * round)), 0.01, 400]];
  });
}

describe("rules of other tools on stored jobs", () => {
  const cell = { stack: "grpc-js", task: "hello", metric: "latencyMs", ratio: 1, low: 1, high: 1, state: "", truth: 1 };
  const about = { ...passed, stack: "grpc-js", cells: [cell] };

  it("are given each round of a cell, and none that gave it nothing", () => {
    const { base, head } = cellRounds([[[1, 2, 3, 4, 5, 6]], [null]], 0);
    expect({ base, head }).toEqual({
      base: [{ mean: 1, variance: 2, count: 3 }],
      head: [{ mean: 4, variance: 5, count: 6 }],
    });
  });

  it("raise alarms for what they take for a change, whether there was one or not", () => {
    const rows = physicalHeadToHead([
      { ...about, kind: "null", armRounds: armRounds(1, 0.001) },
      { ...about, kind: "null", armRounds: armRounds(1.2, 0.001) },
      {
        ...about,
        kind: "injected",
        change: "server CPU +5 %",
        verdict: "fail",
        armRounds: armRounds(1.05, 0.001),
        confirmation: { cells: [0], isConfirmed: true, logRatios: [] },
      },
    ]);
    const byRule = Object.fromEntries(rows.map(({ rule, falseAlarms, found }) => [rule, [falseAlarms, found]]));
    expect(byRule).toEqual({
      "this gate": [0, 1],
      "this gate, before confirmation": [0, 1],
      "benchstat: Mann–Whitney U on 10 rounds, 5 % a row": [1, 1],
      "Welch's t on all requests of 30 rounds, 5 %": [1, 1],
      "tachometer: from 50 rounds on, until a 95 % interval is clear of 0": [1, 1],
      "fixed threshold: mean of 30 rounds 10 % above": [1, 0],
    });
    expect(rows.map(({ equal, changed }) => [equal, changed])).toEqual(rows.map(() => [2, 1]));
  });
});
