// Assembles jobs from stored physical rounds and judges them by the gate: any number of jobs with the noise of a real machine and a known truth.
import { confirm, confirmationRounds, gateDefaults, signGroup } from "@roundtrip/analysis/gate";
import { quickVerdict } from "../quick-verdict.ts";
import { randomFrom } from "@roundtrip/analysis/statistics";
import { drawRounds, poolsOf, assemblies, type Pool, type Rounds, type Assembly } from "./stored-rounds.ts";
import type { PhysicalJob } from "./physical-job.ts";

/** The effect added to rounds of equal versions: to every cell, or to those of one metric of the first stack. */
export interface Shift {
  readonly name: string;
  readonly metric: string | undefined;
  readonly effect: number;
  readonly jobs: number;
}

export const shifts = [
  { name: "nothing", metric: undefined, effect: 0, jobs: 2_000 },
  { name: "all that is tolerated", metric: undefined, effect: gateDefaults.tolerate, jobs: 500 },
  { name: "+5 % server CPU", metric: "serverCpuMsPerTask", effect: 0.05, jobs: 500 },
  { name: "+5 % latency", metric: "latencyMs", effect: 0.05, jobs: 500 },
] as const satisfies readonly Shift[];

export interface ReplayRow {
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly assembly: Assembly;
  readonly shift: string;
  /** The stored jobs and rounds that it was drawn from. */
  readonly storedJobs: number;
  readonly storedRounds: number;
  readonly jobs: number;
  /** Jobs that failed at any look. */
  readonly failed: number;
  /** Of these, the jobs that newly drawn rounds confirmed. */
  readonly blocked: number;
  readonly passed: number;
}

/** The content of docs/gate/physical-replay.json. */
export interface Replay {
  readonly seed: number;
  /** Stored jobs of equal versions in the replayed file. */
  readonly storedJobs: number;
  readonly rows: readonly ReplayRow[];
}

/** Fields that the gate does not use. */
const unnamed = { id: "", study: "gate", variant: "" } as const;

const planned = gateDefaults.looks.at(-1) ?? 0;

function shiftsOfCells({ cells }: Pool, { metric, effect }: Shift): readonly number[] {
  const [first] = cells;
  return cells.map((cell) =>
    metric === undefined || (cell.metric === metric && cell.stack === first?.stack) ? Math.log1p(effect) : 0,
  );
}

function shifted(rounds: Rounds, by: readonly number[]): Rounds {
  return rounds.map((round) => round.map((value, cell) => value + (by[cell] ?? 0)));
}

function deviationOf(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1));
}

export function replayed(pool: Pool, assembly: Assembly, shift: Shift, seed: number): ReplayRow {
  const settings = { ...gateDefaults, seed };
  const group = signGroup(settings.flips, planned, seed);
  const random = randomFrom(seed, `${pool.over} ${pool.hasNeighbour} ${assembly} ${shift.name}`);
  const by = shiftsOfCells(pool, shift);
  let [failed, blocked, passed] = [0, 0, 0];
  for (let job = 0; job < shift.jobs; job += 1) {
    const values = shifted(drawRounds(pool, assembly, planned, random), by);
    const { state, rounds, worse } = quickVerdict(values, settings, group);
    if (state === "pass") passed += 1;
    if (state !== "fail") continue;
    failed += 1;
    const pick = (round: readonly number[]): readonly number[] => worse.map((cell) => round[cell] ?? Number.NaN);
    const noise = worse.map((cell) => ({
      state: "worse" as const,
      deviation: deviationOf(values.slice(0, rounds).map((round) => round[cell] ?? Number.NaN)),
    }));
    const count = confirmationRounds({ cells: noise }, settings);
    const fresh = shifted(drawRounds(pool, assembly, count, random), by).map(pick);
    const cells = worse.flatMap((cell) => pool.cells[cell] ?? []).map((cell) => ({ ...cell, ...unnamed }));
    if (confirm({ cells, values: fresh }, settings).isConfirmed) blocked += 1;
  }
  const { over, hasNeighbour, jobs } = pool;
  const stored = { storedJobs: jobs.length, storedRounds: jobs.flat().length };
  return { over, hasNeighbour, assembly, shift: shift.name, ...stored, jobs: shift.jobs, failed, blocked, passed };
}

/** With fewer jobs, drawing them whole is uninformative. */
const fewestJobs = 3;

function assembliesFor({ jobs }: Pool): readonly Assembly[] {
  return assemblies.filter((assembly) => assembly === "whole rounds" || jobs.length >= fewestJobs);
}

/** The same jobs and seed give the same rows. */
export function replay(jobs: readonly PhysicalJob[], seed: number, onProgress: (text: string) => void): Replay {
  const rows = poolsOf(jobs).flatMap((pool) =>
    assembliesFor(pool).flatMap((assembly) =>
      shifts.map((shift) => {
        onProgress(`${pool.over}, ${assembly}, ${shift.name}`);
        return replayed(pool, assembly, shift, seed);
      }),
    ),
  );
  return { seed, storedJobs: jobs.filter(({ kind }) => kind === "null").length, rows };
}
