// The input of a gate, from a run whose arms have two versions: the log of head over base for every round and cell.
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { turnsOf, type ArmTasks } from "../calls/tasks-of.ts";
import type { GateCell, GateRounds } from "../gate/gate-judgement.ts";
import { latenessOf } from "../metrics/lateness.ts";
import { answeredTasks } from "../metrics/block-values.ts";
import type { RunFacts } from "@roundtrip/runs";
import { hodgesLehmann, quantile, sortedCopy } from "../statistics/describe-samples.ts";
import { blockPairs, type ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { mostUtilisation, utilisationOf } from "../warnings/void-cells.ts";
import { comparedMetrics, cellId, versionPairs, type ComparedMetric, type VersionPair } from "./version-pairs.ts";

type Facts = Pick<RunFacts, "arms" | "blocks">;

type TurnsOfArm = (armId: string) => ValuesByTurn;

/** The number of Walsh averages grows with the square of the blocks. Beyond this the median of the blocks is used. */
const mostForAverages = 100;

/**
 * Garbage collection or compilation hits single blocks and makes them half as long again. It moves the mean of a round by several per cent, the
 * pseudo-median hardly at all. Both change sign with their values, as the gate's test requires.
 */
function centre(logRatios: readonly number[]): number {
  if (logRatios.length === 0) return Number.NaN;
  return logRatios.length <= mostForAverages ? hodgesLehmann(logRatios) : quantile(sortedCopy(logRatios), 0.5);
}

/** For each round the centre over pairs of blocks of ln(head / base). */
function roundCentres(head: ValuesByTurn, base: ValuesByTurn): readonly number[] {
  return blockPairs(head, base).rounds.map(({ numerator, denominator }) =>
    centre(numerator.map((value, pair) => Math.log(value) - Math.log(denominator[pair] as number))),
  );
}

/** Skips rounds in which the generator did not keep an arm's load. Judges each round alone, so that later rounds change nothing of earlier ones. */
function latencies({ arms, blocks }: Facts, tasks: readonly ArmTasks[], rounds: readonly number[]): TurnsOfArm {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  const blocksOfArm = new Map(tasks.map((task) => [task.armId, Map.groupBy(task.blocks, ({ round }) => round)]));
  const factsOfBlock = Map.groupBy(blocks, ({ armId, round }) => `${round} ${armId}`);
  return (armId) =>
    rounds.map((round) => {
      const arm = armOf.get(armId);
      const ofRound = blocksOfArm.get(armId)?.get(round) ?? [];
      const isLate = arm !== undefined && latenessOf(arm, { blocks: ofRound })?.mean.isMoved === true;
      const utilisation = utilisationOf(factsOfBlock.get(`${round} ${armId}`) ?? []) ?? 0;
      const isBusy = arm?.load?.loop === "open" && utilisation > mostUtilisation;
      if (isLate || isBusy) return new Map<number, number>();
      const answered = ofRound.filter(({ latenciesMs }) => latenciesMs.length > 0);
      return new Map(answered.map(({ turn, latenciesMs }) => [turn, quantile(sortedCopy(latenciesMs), 0.5)]));
    });
}

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
 * Returns one row per round with measurements, in order. Blocks of base and head are paired by turn, and a cell is the pseudo-median over its pairs;
 * NaN where a lost process or a void load leaves no pair. Cells are in the order of the arms.
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
      logs: roundCentres(turnsBy[metric](pair.head.id), turnsBy[metric](pair.base.id)),
    })),
  );
  return {
    cells: columns.map(({ cell }) => cell),
    values: rounds.map((_, index) => columns.map(({ logs }) => logs[index] ?? Number.NaN)),
  };
}
