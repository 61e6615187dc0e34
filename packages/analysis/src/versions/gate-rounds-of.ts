// What a gate is to judge, from a run whose arms came in two versions: for every round and cell the logarithm of head over base.
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { turnsOf, type ArmTasks } from "../calls/tasks-of.ts";
import type { GateCell, GateRounds } from "../gate/gate-rounds.ts";
import { latenessOf } from "../metrics/lateness.ts";
import { answeredTasks } from "../metrics/answered.ts";
import type { RunFacts } from "../run/run-facts.ts";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { hodgesLehmann } from "../statistics/hodges-lehmann.ts";
import { pairedLogRatios, type ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { mostUtilisation, utilisationOf } from "../warnings/void-cells.ts";
import { comparedMetrics, type ComparedMetric } from "./round-logs.ts";
import { cellId, versionPairs, type VersionPair } from "./version-pairs.ts";

type Facts = Pick<RunFacts, "arms" | "blocks">;

/** The values of one arm, by round and turn. */
type TurnsOfArm = (armId: string) => ValuesByTurn;

/** Walsh averages are as many as the square of the blocks: from here on the median of the blocks is used instead. */
const mostForAverages = 100;

/**
 * A collection of garbage, or code that gets compiled, falls into one block or another and makes it half as long again: it moves the mean of a round by several
 * per cent, and the pseudo-median by next to none. Both change their sign with their values, which is what the test of a gate rests on.
 */
function centre(logRatios: readonly number[]): number {
  return logRatios.length <= mostForAverages ? hodgesLehmann(logRatios) : quantile(sortedCopy(logRatios), 0.5);
}

/**
 * Median latencies of blocks. A round in which the generator did not keep an arm's load says something of the generator; whether it did is judged round
 * by round, so that what later rounds bring changes nothing of those before.
 */
function latencies({ arms, blocks }: Facts, tasks: readonly ArmTasks[], rounds: readonly number[]): TurnsOfArm {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  const done = new Map(tasks.map((one) => [one.armId, Map.groupBy(one.blocks, ({ round }) => round)]));
  const books = Map.groupBy(blocks, ({ armId, round }) => `${round} ${armId}`);
  return (armId) =>
    rounds.map((round) => {
      const arm = armOf.get(armId);
      const of = done.get(armId)?.get(round) ?? [];
      const isLate = arm !== undefined && latenessOf(arm, { blocks: of })?.mean.isMoved === true;
      const utilisation = utilisationOf(books.get(`${round} ${armId}`) ?? []) ?? 0;
      const isBusy = arm?.load?.loop === "open" && utilisation > mostUtilisation;
      if (isLate || isBusy) return new Map<number, number>();
      const answered = of.filter(({ latenciesMs }) => latenciesMs.length > 0);
      return new Map(answered.map(({ turn, latenciesMs }) => [turn, quantile(sortedCopy(latenciesMs), 0.5)]));
    });
}

/** Processor time of servers for each task; blocks of which it is not known are left out. */
function serverCpu({ blocks }: Facts, rounds: readonly number[]): TurnsOfArm {
  const byArm = Map.groupBy(blocks, ({ armId }) => armId);
  const turnOf = turnsOf(blocks);
  return (armId) => {
    const byRound = Map.groupBy(byArm.get(armId) ?? [], ({ round }) => round);
    return rounds.map((round) => {
      const values = (byRound.get(round) ?? []).map((block) => {
        const spentMs = block.serverCpuMs ?? Number.NaN;
        return [turnOf(block), spentMs / (answeredTasks(block) ?? Number.NaN)] as const;
      });
      return new Map(values.filter(([, value]) => Number.isFinite(value)));
    });
  };
}

function cellOf({ id, base }: VersionPair, metric: ComparedMetric): GateCell {
  const { stack, study, task, variant } = base;
  return { id: cellId(id, metric), stack, study, task, variant, metric };
}

/**
 * Each round in which something was measured is a row, in order; blocks of base and head are paired by their turn in it, and a cell has the
 * pseudo-median over its pairs. A cell that a lost process or a void load leaves nothing of in a round is NaN there. Cells are in the order of the arms.
 */
export function gateRoundsOf(
  facts: Facts,
  { tasks }: Pick<GatheredCalls, "tasks">,
  metrics: readonly ComparedMetric[] = comparedMetrics,
): GateRounds {
  const rounds = [...new Set(facts.blocks.map(({ round }) => round))].toSorted((one, other) => one - other);
  const turnsBy = { latencyMs: latencies(facts, tasks, rounds), serverCpuMsPerTask: serverCpu(facts, rounds) };
  const columns = versionPairs(facts.arms).flatMap((pair) =>
    metrics.map((metric) => ({
      cell: cellOf(pair, metric),
      logs: pairedLogRatios(turnsBy[metric](pair.head.id), turnsBy[metric](pair.base.id), centre).logRatios,
    })),
  );
  return {
    cells: columns.map(({ cell }) => cell),
    values: rounds.map((_, index) => columns.map(({ logs }) => logs[index] ?? Number.NaN)),
  };
}
