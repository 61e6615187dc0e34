// The input for rules of other tools: mean, variance and count of the values of base and head, for every round and cell of a job.
import { versionPairs, type ComparedMetric, type GatheredCalls, type RunFacts } from "@roundtrip/analysis";
import type { ArmRound } from "../rules-of-others/stored-rounds.ts";

/** Mean, variance and count of base, then of head; null if a round has no values for a cell. */
export type ArmRounds = readonly [number, number, number, number, number, number] | null;

const digits = 6;

function described(values: readonly number[]): readonly [number, number, number] {
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  const scatter = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(1, values.length - 1);
  return [Number(centre.toPrecision(digits)), Number(scatter.toPrecision(digits)), values.length];
}

/** Latencies of single calls, and CPU time per call of single blocks. */
function valuesOf(
  { blocks }: RunFacts,
  { tasks }: GatheredCalls,
  { armId, metric, round }: { readonly armId: string; readonly metric: ComparedMetric; readonly round: number },
): readonly number[] {
  if (metric === "latencyMs") {
    const own = tasks.find((arm) => arm.armId === armId)?.blocks ?? [];
    return own.flatMap((block) => (block.round === round ? [...block.latenciesMs] : []));
  }
  return blocks.flatMap((block) =>
    block.armId === armId && block.round === round && block.serverCpuMs !== null
      ? [block.serverCpuMs / block.tasks]
      : [],
  );
}

/** `[r][c]`, with rounds in their order and cells as in the rounds of a gate. */
export function armRoundsOf(
  facts: RunFacts,
  calls: GatheredCalls,
  metrics: readonly ComparedMetric[],
): readonly (readonly ArmRounds[])[] {
  const rounds = [...new Set(facts.blocks.map(({ round }) => round))].toSorted((one, other) => one - other);
  const columns = versionPairs(facts.arms).flatMap(({ base, head }) =>
    metrics.map((metric) => (round: number): ArmRounds => {
      const [ofBase, ofHead] = [base, head].map(({ id }) => valuesOf(facts, calls, { armId: id, metric, round }));
      if (ofBase === undefined || ofHead === undefined || ofBase.length === 0 || ofHead.length === 0) return null;
      return [...described(ofBase), ...described(ofHead)];
    }),
  );
  return rounds.map((round) => columns.map((column) => column(round)));
}

/** The rounds of base and head of one cell, for a rule; rounds without values for the cell are left out. */
export function cellRounds(
  rounds: readonly (readonly ArmRounds[])[],
  cell: number,
): { readonly base: readonly ArmRound[]; readonly head: readonly ArmRound[] } {
  const known = rounds.flatMap((row) => row[cell] ?? []);
  const rows = Array.from({ length: known.length / 6 }, (_, index) => known.slice(6 * index, 6 * index + 6));
  const of = (from: number): readonly ArmRound[] =>
    rows.map((row) => ({ mean: row[from] ?? 0, variance: row[from + 1] ?? 0, count: row[from + 2] ?? 0 }));
  return { base: of(0), head: of(3) };
}
