// Pairs the arms of a run that differ only in the factor `version`, and gives the logarithm of an arm's metric in each round.
import { keyOf, versionFactor, type Arm, type Scalar, type RunFacts } from "@roundtrip/runs";
import { mean } from "d3-array";
import { answeredTasks } from "../metrics/block-values.ts";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import type { Metric } from "../metrics/summarise.ts";
import type { ArmInBoth } from "./version-comparison.ts";

export interface VersionPair {
  /** An arm's id without its version: the same in every run that measures this. */
  readonly id: string;
  readonly base: Arm;
  readonly head: Arm;
}

export function factorsBesideVersion({ factors }: Pick<Arm, "factors">): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => name !== versionFactor));
}

export function comparedArm(arm: Arm, factors: Arm["factors"] = arm.factors): ArmInBoth {
  const { study, task, style, server, client, stack, title, variant } = arm;
  return { study, task, style, server, client, stack, title, variant, factors };
}

export function versionlessId(arm: Pick<Arm, "study" | "task" | "stack" | "variant" | "factors">): string {
  const factors = Object.entries(factorsBesideVersion(arm)).map(([name, value]) => `/${name}=${value}`);
  return `${arm.study}/${arm.task}/${arm.stack}/${arm.variant}${factors.join("")}`;
}

/** The id of one metric of one pair. Must never change: histories and dashboards use it. */
export function cellId(id: string, metric: Metric): string {
  return `${id} ${metric}`;
}

/** The pairs of a run in the order of its arms, without arms that have no partner. */
export function versionPairs(arms: readonly Arm[]): readonly VersionPair[] {
  const alike = Map.groupBy(arms, (arm) =>
    JSON.stringify([arm.study, arm.task, arm.stack, arm.variant, keyOf(factorsBesideVersion(arm))]),
  );
  return [...alike.values()].flatMap((group) => {
    const base = group.find(({ factors }) => factors[versionFactor] === "base");
    const head = group.find(({ factors }) => factors[versionFactor] === "head");
    return base === undefined || head === undefined ? [] : [{ id: versionlessId(base), base, head }];
  });
}

/** The metrics by which versions are compared. More is worse. */
export const comparedMetrics = ["latencyMs", "serverCpuMsPerTask"] as const;
export type ComparedMetric = (typeof comparedMetrics)[number];

interface BlockValue {
  readonly round: number;
  readonly value: number;
}

function valuesOf(facts: RunFacts, calls: GatheredCalls, metric: ComparedMetric): ReadonlyMap<string, BlockValue[]> {
  if (metric === "latencyMs") {
    return new Map(
      calls.tasks.map(({ armId, blocks }) => [
        armId,
        blocks.map(({ round, latenciesMs }) => ({ round, value: mean(latenciesMs) ?? Number.NaN })),
      ]),
    );
  }
  const blocks = Map.groupBy(facts.blocks, ({ armId }) => armId);
  return new Map(
    [...blocks].map(([armId, some]) => [
      armId,
      some.map((block) => ({
        round: block.round,
        value: (block.serverCpuMs ?? Number.NaN) / (answeredTasks(block) ?? Number.NaN),
      })),
    ]),
  );
}

/** By arm and round: ln of the mean of the round's blocks, for rounds with a mean above 0. */
export function roundLogs(
  facts: RunFacts,
  calls: GatheredCalls,
  metric: ComparedMetric,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  return new Map(
    [...valuesOf(facts, calls, metric)].map(([armId, values]) => {
      const kept = values.filter(({ value }) => Number.isFinite(value));
      const rounds = [...Map.groupBy(kept, ({ round }) => round)].map(
        ([round, some]) => [round, Math.log(mean(some, ({ value }) => value) as number)] as const,
      );
      return [armId, new Map(rounds.filter(([, log]) => Number.isFinite(log)))];
    }),
  );
}
