// Runs made from a formula, for tests: every latency is what the test says it is.
import { idsFromName, type Arm, type Block, type RunFacts, type Samples } from "@roundtrip/runs";
import type { Exchange } from "../src/distance/round-trips.ts";

/** An arm of the façade study unless stated otherwise. */
export function armFor(given: Partial<Arm> & Pick<Arm, "stack" | "variant">): Arm {
  const arm: Arm = {
    id: "",
    study: "facade",
    task: "read",
    ...idsFromName(given.stack),
    title: given.stack,
    stackTitle: given.title ?? given.stack,
    role: given.stack === "floor" ? "floor" : "style",
    factors: {},
    callsPerTask: 1,
    ...given,
  };
  const factors = Object.entries(arm.factors).map(([name, value]) => `/${name}=${String(value)}`);
  return { ...arm, id: given.id ?? `${arm.study}/${arm.task}/${arm.stack}/${arm.variant}${factors.join("")}` };
}

export interface Call {
  readonly arm: number;
  readonly round: number;
  readonly block: number;
  readonly task: number;
  readonly step: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome?: string;
}

/** Calls as the columns that the runner writes. */
export function samplesOf(calls: readonly Call[]): Samples {
  const outcomes = [...new Set(["OK", ...calls.map((call) => call.outcome ?? "OK")])];
  const column = (value: (call: Call) => number) => Float64Array.from(calls, value);
  return {
    length: calls.length,
    arm: Uint32Array.from(calls, (call) => call.arm),
    round: Uint32Array.from(calls, (call) => call.round),
    block: Uint32Array.from(calls, (call) => call.block),
    task: Uint32Array.from(calls, (call) => call.task),
    step: Uint32Array.from(calls, (call) => call.step),
    intendedAtNs: column((call) => call.startMs * 1e6),
    startedAtNs: column((call) => call.startMs * 1e6),
    endedAtNs: column((call) => call.endMs * 1e6),
    outcome: Uint8Array.from(calls, (call) => outcomes.indexOf(call.outcome ?? "OK")),
    outcomes,
    requestBytes: column(() => 0),
    responseBytes: column(() => 0),
  };
}

export function factsOf(arms: readonly Arm[], rounds: number, blocks: readonly Block[] = []): RunFacts {
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1_000,
    seed: 1,
    command: "bench",
    status: "complete",
    environment: {
      runtime: "Node.js",
      libraries: {},
      cpuModel: "test",
      cores: 2,
      memoryGiB: 4,
      kernel: "test",
      congestionControl: "cubic",
      link: { kind: "loopback", rttMs: 0, mtuBytes: 65_536 },
      placement: "anywhere",
    },
    events: [],
    arms,
    blocks,
    firstCalls: [],
    warmUps: [],
    verification: { responsesCompared: 1, answerGroups: 1, agreed: true },
    roundsPlanned: rounds,
    roundsDone: rounds,
  };
}

/** The books of a block in the first round that ran half a second, its client a tenth of that, unless stated otherwise. */
export function loadedBlock(given: Pick<Block, "armId" | "block" | "tasks" | "serverCpuMs"> & Partial<Block>): Block {
  return {
    round: 0,
    calls: given.tasks,
    failedCalls: 0,
    elapsedMs: 500,
    clientCpuMs: 1,
    clientUtilisation: 0.1,
    wireBytes: 1,
    connectionsOpened: 0,
    ...given,
  };
}

/** A small call over a connection that is there and that nothing limits. */
export const unlimitedExchange: Exchange = {
  requestBytes: 100,
  responseBytes: 200,
  opensConnection: false,
  connectRoundTrips: 0,
  asksFirst: false,
  tls: false,
  windowBytes: Infinity,
  windowAt: "both",
  initialSegments: 10,
  flowControlWindowBytes: Infinity,
  bandwidthMbps: Infinity,
};

export interface Shape {
  readonly rounds: number;
  readonly blocksPerRound: number;
  readonly tasksPerBlock: number;
}

/** A run in which a task's latency is what the formula says; tasks of several calls make them one after the other, evenly long. */
export function syntheticRun(
  arms: readonly Arm[],
  shape: Shape,
  latencyMs: (arm: Arm, round: number, block: number, task: number) => number,
): { facts: RunFacts; samples: Samples } {
  const calls: Call[] = [];
  for (let round = 0; round < shape.rounds; round += 1) {
    let block = 0;
    for (let turn = 0; turn < shape.blocksPerRound; turn += 1) {
      for (const [index, arm] of arms.entries()) {
        for (let task = 0; task < shape.tasksPerBlock; task += 1) {
          const stepMs = latencyMs(arm, round, turn, task) / arm.callsPerTask;
          for (let step = 0; step < arm.callsPerTask; step += 1) {
            calls.push({ arm: index, round, block, task, step, startMs: step * stepMs, endMs: (step + 1) * stepMs });
          }
        }
        block += 1;
      }
    }
  }
  return { facts: factsOf(arms, shape.rounds), samples: samplesOf(calls) };
}
