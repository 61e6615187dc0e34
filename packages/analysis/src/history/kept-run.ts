// What a history keeps of a run: where it ran, and for each arm and metric its summary with the means of its rounds.
import { mean } from "d3-array";
import { roundsOf } from "../analyse/analyse.ts";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { blockMetrics } from "../metrics/block-metrics.ts";
import { blockMeans } from "../metrics/block-values.ts";
import { pacedMetrics } from "../metrics/lateness.ts";
import { rowMetrics } from "../metrics/row-metrics.ts";
import type { Analysis } from "../analyse/analysis.ts";
import type { Arm, RunFacts } from "../run/run-facts.ts";
import type { ValuesByRound } from "../statistics/two-level-bootstrap.ts";
import type { Metric, Summary } from "../metrics/summary.ts";
import { factorsBesideVersion, versionPairs } from "../versions/version-pairs.ts";
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

function meansByMetric(facts: RunFacts, calls: GatheredCalls, index: number): ReadonlyMap<Metric, ValuesByRound> {
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

/** What arms are called in a history, by id. Of two versions it is head that was new then: base is left out, and head has the name without a version. */
function keptArms(arms: readonly Arm[]): ReadonlyMap<string, Arm> {
  const pairs = versionPairs(arms);
  const bases = new Set(pairs.map(({ base }) => base.id));
  const heads = new Map(
    pairs.map(({ id, head }) => [head.id, { ...head, id, factors: factorsBesideVersion(head) }] as const),
  );
  return new Map(arms.filter(({ id }) => !bases.has(id)).map((arm) => [arm.id, heads.get(arm.id) ?? arm]));
}

/** Takes what the analysis of these facts and calls has summarised, and nothing that it left out as untrue. */
export function keptRun(facts: RunFacts, calls: GatheredCalls, { summaries }: Pick<Analysis, "summaries">): KeptRun {
  const { startedAt, seed, status, roundsDone, environment } = facts;
  const ofArm = Map.groupBy(summaries, ({ armId }) => armId);
  const arms = keptArms(facts.arms);
  const cells = facts.arms.flatMap(({ id }, index) => {
    const arm = arms.get(id);
    if (arm === undefined) return [];
    const means = meansByMetric(facts, calls, index);
    return (ofArm.get(id) ?? []).map((summary): KeptCell => {
      const rounds = means.get(summary.metric) ?? [];
      return { arm, summary: { ...summary, armId: arm.id }, roundMeans: rounds.map((blocks) => mean(blocks) ?? null) };
    });
  });
  return { startedAt, seed, status, rounds: roundsDone, environment: environmentFingerprint(environment), cells };
}
