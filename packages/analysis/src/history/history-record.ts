// The part of a run that a history keeps: its environment, and for each arm and metric the summary with its round means.
import { mean } from "d3-array";
import { roundsOf } from "../analyse/analyse.ts";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { blockMetrics } from "../metrics/block-metrics.ts";
import { blockMeans } from "../metrics/block-values.ts";
import { pacedMetrics } from "../metrics/lateness.ts";
import { rowMetrics } from "../metrics/row-metrics.ts";
import type { Analysis } from "../analyse/analysis.ts";
import type { Arm, RunFacts } from "../run/run-facts.ts";
import type { ValuesByRound } from "../statistics/student-t.ts";
import type { Metric, Summary } from "../metrics/summary.ts";
import { factorsBesideVersion, versionPairs } from "../versions/version-pairs.ts";
import { environmentFingerprint, type EnvironmentFingerprint } from "./environment-fingerprint.ts";

export interface HistoryRecordCell {
  readonly arm: Arm;
  readonly summary: Summary;
  /** In round order; null for a round without a value. */
  readonly roundMeans: readonly (number | null)[];
}

export interface HistoryRecord {
  readonly startedAt: string;
  readonly seed: number;
  readonly status: RunFacts["status"];
  /** Complete rounds. */
  readonly rounds: number;
  readonly environment: EnvironmentFingerprint;
  readonly cells: readonly HistoryRecordCell[];
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

/** Names of arms in a history, by id. Of two versions only head is kept, under the name without a version. */
function keptArms(arms: readonly Arm[]): ReadonlyMap<string, Arm> {
  const pairs = versionPairs(arms);
  const bases = new Set(pairs.map(({ base }) => base.id));
  const heads = new Map(
    pairs.map(({ id, head }) => [head.id, { ...head, id, factors: factorsBesideVersion(head) }] as const),
  );
  return new Map(arms.filter(({ id }) => !bases.has(id)).map((arm) => [arm.id, heads.get(arm.id) ?? arm]));
}

/** Keeps the summaries of the analysis of these facts and calls, without figures that it withheld. */
export function historyRecord(
  facts: RunFacts,
  calls: GatheredCalls,
  { summaries }: Pick<Analysis, "summaries">,
): HistoryRecord {
  const { startedAt, seed, status, roundsDone, environment } = facts;
  const ofArm = Map.groupBy(summaries, ({ armId }) => armId);
  const arms = keptArms(facts.arms);
  const cells = facts.arms.flatMap(({ id }, index) => {
    const arm = arms.get(id);
    if (arm === undefined) return [];
    const means = meansByMetric(facts, calls, index);
    return (ofArm.get(id) ?? []).map((summary): HistoryRecordCell => {
      const rounds = means.get(summary.metric) ?? [];
      return { arm, summary: { ...summary, armId: arm.id }, roundMeans: rounds.map((blocks) => mean(blocks) ?? null) };
    });
  });
  return { startedAt, seed, status, rounds: roundsDone, environment: environmentFingerprint(environment), cells };
}
