// Converts samples of another tool to a run, for the same analysis.
import { AnalysisError } from "./basics/analysis-error.ts";
import { idsFromName, type Arm, type Environment, type RunFacts, type Samples } from "@roundtrip/runs";

export interface LongFormRow {
  readonly arm: string;
  /** Any integer of at least 0; rows of one round were measured under the same conditions. */
  readonly round: number;
  readonly latencyMs: number;
}

export const foreignStudy = "samples";

function armOf(name: string): Arm {
  return {
    id: name,
    study: foreignStudy,
    task: "call",
    ...idsFromName(name),
    title: name,
    stackTitle: name,
    role: "style",
    variant: "single",
    factors: {},
    callsPerTask: 1,
  };
}

/** The environment of a run that was measured elsewhere. @param unknown stands for what nobody has recorded */
export function unknownEnvironment(unknown: string): Environment {
  return {
    runtime: unknown,
    libraries: {},
    cpuModel: unknown,
    cores: 0,
    memoryGiB: 0,
    kernel: unknown,
    congestionControl: unknown,
    link: { kind: unknown, rttMs: 0, mtuBytes: 0 },
    placement: unknown,
  };
}

function factsOf(arms: readonly Arm[], rounds: number): RunFacts {
  return {
    startedAt: "",
    durationMs: 0,
    seed: 1,
    command: "",
    status: "complete",
    environment: unknownEnvironment("not recorded"),
    events: [],
    arms,
    blocks: [],
    firstCalls: [],
    warmUps: [],
    verification: { responsesCompared: 0, answerGroups: 0, agreed: false },
    roundsPlanned: rounds,
    roundsDone: rounds,
  };
}

/** Imported samples as facts and samples, for `pairs: againstFirst`. Throws `no-samples`, `not-a-number` or `negative-latency` with the 1-based row. */
export function fromLongForm(rows: readonly LongFormRow[]): { readonly facts: RunFacts; readonly samples: Samples } {
  if (rows.length === 0) throw new AnalysisError("no-samples", "there are no samples");
  const armNames = new Map<string, number>();
  const tasksDone = new Map<string, number>();
  const length = rows.length;
  const samples = {
    length,
    arm: new Uint32Array(length),
    round: new Uint32Array(length),
    block: new Uint32Array(length),
    task: new Uint32Array(length),
    step: new Uint32Array(length),
    intendedAtNs: new Float64Array(length),
    startedAtNs: new Float64Array(length),
    endedAtNs: new Float64Array(length),
    outcome: new Uint8Array(length),
    outcomes: ["OK"],
    requestBytes: new Float64Array(length),
    responseBytes: new Float64Array(length),
  } satisfies Samples;
  rows.forEach(({ arm, round, latencyMs }, row) => {
    if (!Number.isFinite(latencyMs))
      throw new AnalysisError("not-a-number", `row ${row + 1}: ${latencyMs} is no latency`);
    if (latencyMs < 0) throw new AnalysisError("negative-latency", `row ${row + 1}: ${latencyMs} ms is below 0`);
    if (!Number.isInteger(round) || round < 0 || round > 0xffffffff) {
      throw new AnalysisError("not-a-number", `row ${row + 1}: round ${round} is no whole number from 0`);
    }
    const index = armNames.get(arm) ?? armNames.size;
    armNames.set(arm, index);
    const cell = `${index} ${round}`;
    const task = tasksDone.get(cell) ?? 0;
    tasksDone.set(cell, task + 1);
    samples.arm[row] = index;
    samples.round[row] = round;
    samples.task[row] = task;
    samples.endedAtNs[row] = latencyMs * 1e6;
  });
  const rounds = new Set(rows.map(({ round }) => round)).size;
  return { facts: factsOf([...armNames.keys()].map(armOf), rounds), samples };
}
