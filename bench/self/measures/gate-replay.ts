// How often the gate fails equal versions, and finds slower ones, in jobs assembled from rounds of a real machine (docs/gate/physical-jobs.jsonl):
// any number of jobs with the noise of a real machine and a known truth. docs/gate.md has the answer.
import { confirm, confirmationRounds, gateDefaults } from "@roundtrip/analysis/gate";
import { randomFrom, type Random } from "@roundtrip/analysis/statistics";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shareFigure } from "../gate/shares.ts";
import { endOfJob } from "../gate/simulate.ts";
import type { Figure, Measure } from "../measure.ts";

/** One comparison job that ran on a real machine: the fields of its line that a replay reads. */
interface StoredJob {
  /** `null` for equal versions. */
  readonly kind: "null" | "injected" | "calibration";
  readonly stack: string;
  /** Whether the other stacks were compared too, as by default. */
  readonly isWhole: boolean;
  /** Whether a noisy neighbour started and stopped meanwhile. */
  readonly hasNeighbour: boolean;
  readonly cells: readonly RoundCell[];
  /** `[r][c]`: ln(head / base) of each round and cell; null if a round has no values for a cell. */
  readonly logRatios: readonly (readonly (number | null)[])[];
}

/** All jobs that were measured. */
function storedJobs(): readonly StoredJob[] {
  const file = join(import.meta.dirname, "../../../docs/gate/physical-jobs.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as StoredJob);
}

/** `[r][c]`: log ratios of one job; NaN if a round has no values for a cell. */
type Rounds = readonly (readonly number[])[];

interface RoundCell {
  readonly stack: string;
  readonly task: string;
  readonly metric: string;
}

/** Jobs that measured the same cells under the same conditions. */
interface Pool {
  /** One stack, or `all stacks`. */
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly cells: readonly RoundCell[];
  readonly jobs: readonly Rounds[];
}

/** Fewer rounds do not show how they vary. */
const fewestRounds = 16;

function roundsOf({ logRatios }: StoredJob): Rounds {
  return logRatios.map((row) => row.map((value) => value ?? Number.NaN));
}

function poolsOf(jobs: readonly StoredJob[]): readonly Pool[] {
  const equal = jobs.filter(({ kind, logRatios }) => kind === "null" && logRatios.length > 0);
  const groups = Map.groupBy(equal, ({ isWhole, stack, hasNeighbour }) =>
    JSON.stringify([isWhole ? "all stacks" : stack, hasNeighbour]),
  );
  return [...groups.values()]
    .flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const { isWhole, stack, hasNeighbour, cells } = first;
      return [{ over: isWhole ? "all stacks" : stack, hasNeighbour, cells, jobs: some.map(roundsOf) }];
    })
    .filter(({ jobs: some }) => some.flat().length >= fewestRounds)
    .toSorted((left, right) => Number(left.hasNeighbour) - Number(right.hasNeighbour));
}

/** How a job is assembled. Equal versions are exchangeable: signs may flip for each round, or for each job. */
const assemblies = ["whole rounds", "whole jobs"] as const;

type Assembly = (typeof assemblies)[number];

function oneOf<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("there is nothing to draw from");
  return value;
}

function signed(round: readonly number[], sign: number): readonly number[] {
  return round.map((value) => sign * value);
}

/**
 * This many rounds, drawn with replacement. With `whole rounds` each round has a random sign, and their order is lost. With `whole jobs` the rounds
 * of a job stay in order and share one sign, which keeps effects that last longer than a round.
 */
function drawRounds({ jobs }: Pool, assembly: Assembly, count: number, random: Random): Rounds {
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  if (assembly === "whole rounds") {
    const all = jobs.flat();
    return Array.from({ length: count }, () => signed(oneOf(all, random), sign()));
  }
  const drawn: (readonly number[])[] = [];
  while (drawn.length < count) {
    const own = sign();
    drawn.push(...oneOf(jobs, random).map((round) => signed(round, own)));
  }
  return drawn.slice(0, count);
}

/** The effect added to rounds of equal versions: to every cell, or to those of one metric of the first stack. */
interface Shift {
  readonly name: string;
  readonly metric: string | undefined;
  readonly effect: number;
  readonly jobs: number;
}

const shifts = [
  { name: "nothing", metric: undefined, effect: 0, jobs: 1_000 },
  { name: "all that is tolerated", metric: undefined, effect: gateDefaults.tolerate, jobs: 200 },
  { name: "+5 % server CPU", metric: "serverCpuMsPerTask", effect: 0.05, jobs: 200 },
  { name: "+5 % latency", metric: "latencyMs", effect: 0.05, jobs: 200 },
] as const satisfies readonly Shift[];

interface ReplayRow {
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly assembly: Assembly;
  readonly shift: string;
  readonly jobs: number;
  /** Jobs that failed at any look. */
  readonly failed: number;
  /** Of these, the jobs that newly drawn rounds confirmed. */
  readonly blocked: number;
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

function replayed(pool: Pool, assembly: Assembly, shift: Shift, seed: number): ReplayRow {
  const settings = { ...gateDefaults, seed };
  const random = randomFrom(seed, `${pool.over} ${pool.hasNeighbour} ${assembly} ${shift.name}`);
  const by = shiftsOfCells(pool, shift);
  const cells = pool.cells.map((cell) => ({ ...cell, ...unnamed }));
  let [failed, blocked] = [0, 0];
  for (let job = 0; job < shift.jobs; job += 1) {
    const end = endOfJob({ cells, values: shifted(drawRounds(pool, assembly, planned, random), by) }, settings);
    if (end.state !== "fail") continue;
    failed += 1;
    const worse = end.cells.flatMap(({ state }, index) => (state === "worse" ? [index] : []));
    const fresh = shifted(drawRounds(pool, assembly, confirmationRounds(end, settings), random), by);
    const again = {
      cells: worse.flatMap((index) => cells[index] ?? []),
      values: fresh.map((round) => worse.map((index) => round[index] ?? Number.NaN)),
    };
    if (confirm(again, settings).isConfirmed) blocked += 1;
  }
  const { over, hasNeighbour } = pool;
  return { over, hasNeighbour, assembly, shift: shift.name, jobs: shift.jobs, failed, blocked };
}

/** With fewer jobs, drawing them whole is uninformative. */
const fewestJobs = 3;

function assembliesFor({ jobs }: Pool): readonly Assembly[] {
  return assemblies.filter((assembly) => assembly === "whole rounds" || jobs.length >= fewestJobs);
}

/** The same jobs and seed give the same rows. */
function replay(jobs: readonly StoredJob[], seed: number, onProgress: (text: string) => void): readonly ReplayRow[] {
  return poolsOf(jobs).flatMap((pool) =>
    assembliesFor(pool).flatMap((assembly) =>
      shifts.map((shift) => {
        onProgress(`${pool.over}, ${assembly}, ${shift.name}`);
        return replayed(pool, assembly, shift, seed);
      }),
    ),
  );
}

/** The promised maximum of the gate for a whole job, in per cent. */
const mostFalseAlarms = 1;

function figuresOf({ over, hasNeighbour, assembly, shift, jobs, failed, blocked }: ReplayRow): Figure {
  const of = `${over}${hasNeighbour ? ", noisy neighbour" : ""}, ${assembly}, ${shift} added`;
  if (shift === "nothing") return shareFigure(`${of}: FAIL before confirmation`, failed, jobs, mostFalseAlarms);
  return shareFigure(`${of}: FAIL`, blocked, jobs);
}

export const measure: Measure = {
  name: "gate-replay",
  title: "what the gate says of rounds that a real machine has measured",
  rounds: 1,
  run: ({ seed, onProgress }) => Promise.resolve(replay(storedJobs(), seed, onProgress).map(figuresOf)),
};
