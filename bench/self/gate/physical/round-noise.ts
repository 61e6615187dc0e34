// How rounds of equal versions vary on a real machine, and how they correlate: the reality behind the simulated noise.
import { poolsOf, type Rounds } from "./stored-rounds.ts";
import type { PhysicalJob } from "./physical-job.ts";

export interface RoundNoise {
  readonly over: string;
  readonly hasNeighbour: boolean;
  readonly stack: string;
  readonly metric: string;
  readonly jobs: number;
  readonly rounds: number;
  /** Standard deviation of ln(head / base) around its true value, which is 0. */
  readonly deviation: number;
  /** Correlation of a round with the next one of its job. */
  readonly autocorrelation: number;
  /** Variance of the means of jobs, over what independent rounds would give: 1 if rounds are independent, more if something lasts for a job. */
  readonly betweenJobs: number;
  /** The largest |ln(head / base)| in standard deviations. */
  readonly wildest: number;
}

function noiseOf(series: readonly (readonly number[])[]) {
  const all = series.flat();
  const variance = all.reduce((sum, value) => sum + value ** 2, 0) / all.length;
  const pairs = series.flatMap((values) =>
    values.slice(1).map((value, index) => value * (values[index] ?? Number.NaN)),
  );
  const means = series.map((values) => values.reduce((sum, value) => sum + value, 0) ** 2 / values.length);
  return {
    deviation: Math.sqrt(variance),
    autocorrelation: pairs.reduce((sum, value) => sum + value, 0) / pairs.length / variance,
    betweenJobs: means.reduce((sum, value) => sum + value, 0) / means.length / variance,
    wildest: Math.max(...all.map(Math.abs)) / Math.sqrt(variance),
  };
}

function column(rounds: Rounds, cell: number): readonly number[] {
  return rounds.map((round) => round[cell] ?? Number.NaN).filter(Number.isFinite);
}

/** A row for each stack and metric under each condition; the tasks of a stack are separate series in it. */
export function roundNoise(jobs: readonly PhysicalJob[]): readonly RoundNoise[] {
  return poolsOf(jobs).flatMap(({ over, hasNeighbour, cells, jobs: some }) => {
    const groups = Map.groupBy(cells.keys(), (cell) => `${cells[cell]?.stack} ${cells[cell]?.metric}`);
    return [...groups.values()].map((own) => {
      const series = own.flatMap((cell) => some.map((rounds) => column(rounds, cell)));
      const { stack = "", metric = "" } = cells[own[0] ?? 0] ?? {};
      const counts = { jobs: some.length, rounds: some.flat().length };
      return { over, hasNeighbour, stack, metric, ...counts, ...noiseOf(series.filter(({ length }) => length > 0)) };
    });
  });
}
