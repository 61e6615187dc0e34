// What a history keeps of a run: where it ran, and for each arm and metric its summary with the means of its rounds.
import { mean } from "d3-array";
import { roundsOf } from "../analyse.ts";
import type { GatheredCalls } from "../calls/gathered-calls.ts";
import { blockMetrics } from "../metrics/block-metrics.ts";
import { blockMeans } from "../metrics/block-values.ts";
import { pacedMetrics } from "../metrics/paced-metrics.ts";
import { rowMetrics } from "../metrics/row-metrics.ts";
import type { Analysis } from "../result.ts";
import type { Arm, RunFacts } from "../run.ts";
import type { Rounds } from "../statistics/two-level-bootstrap.ts";
import type { Metric, Summary } from "../summary.ts";
import { environmentFingerprint, type EnvironmentFingerprint } from "./environment-fingerprint.ts";

/** One metric of one arm. */
export interface KeptCell {
  readonly arm: Arm;
  readonly summary: Summary;
  /** In the order of rounds; null for a round that has no value of it. */
  readonly roundMeans: readonly (number | null)[];
}

export interface KeptRun {
  readonly startedAt: string;
  readonly seed: number;
  readonly status: RunFacts["status"];
  /** Complete ones. */
  readonly rounds: number;
  readonly environment: EnvironmentFingerprint;
  readonly cells: readonly KeptCell[];
}

function meansByMetric(facts: RunFacts, calls: GatheredCalls, index: number): ReadonlyMap<Metric, Rounds> {
  const rounds = roundsOf(facts, calls.tasks);
  const tasks = calls.tasks[index];
  if (tasks === undefined) return new Map();
  const { armId } = tasks;
  const measured = [
    ...blockMetrics(
      armId,
      rounds,
      facts.blocks.filter((block) => block.armId === armId),
      facts.firstCalls.filter((first) => first.armId === armId),
    ),
    ...rowMetrics(armId, calls.rowValues[index] ?? [], rounds),
    ...pacedMetrics(tasks, rounds),
  ];
  return new Map([
    ["latencyMs" as Metric, blockMeans(rounds, tasks.blocks)],
    ...measured.map(({ metric, means }) => [metric, means] as const),
  ]);
}

/** Takes what the analysis of these facts and calls has summarised, and nothing that it left out as untrue. */
export function keptRun(facts: RunFacts, calls: GatheredCalls, { summaries }: Pick<Analysis, "summaries">): KeptRun {
  const { startedAt, seed, status, roundsDone, environment } = facts;
  const ofArm = Map.groupBy(summaries, ({ armId }) => armId);
  const cells = facts.arms.flatMap((arm, index) => {
    const means = meansByMetric(facts, calls, index);
    return (ofArm.get(arm.id) ?? []).map((summary): KeptCell => {
      const rounds = means.get(summary.metric) ?? [];
      return { arm, summary, roundMeans: rounds.map((blocks) => mean(blocks) ?? null) };
    });
  });
  return { startedAt, seed, status, rounds: roundsDone, environment: environmentFingerprint(environment), cells };
}
