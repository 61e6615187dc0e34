// Pairs the arms of a run that differ only in the factor `version`.
import { keyOf, versionFactor, type Arm, type Scalar } from "@roundtrip/runs";
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
