// Which arms of a run are one thing in two versions: those that differ in the factor `version` alone.
import { keyOf, versionFactor } from "../run/arm-factors.ts";
import type { Arm, Scalar } from "../run/run-facts.ts";
import type { Metric } from "../metrics/summary.ts";
import type { ArmInBoth } from "./version-comparison.ts";

/** One thing in two versions. */
export interface VersionPair {
  /** As an arm's id, without its version: the same in every run that measures this. */
  readonly id: string;
  readonly base: Arm;
  readonly head: Arm;
}

/** Every factor of an arm but its version. */
export function factorsBesideVersion({ factors }: Pick<Arm, "factors">): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => name !== versionFactor));
}

/** What a comparison reports of an arm. @param factors all of them unless its version goes without saying. */
export function comparedArm(arm: Arm, factors: Arm["factors"] = arm.factors): ArmInBoth {
  const { study, task, style, server, client, stack, title, variant } = arm;
  return { study, task, style, server, client, stack, title, variant, factors };
}

/** What an arm is called whatever its version, in the form of arms' ids. */
export function versionlessId(arm: Pick<Arm, "study" | "task" | "stack" | "variant" | "factors">): string {
  const factors = Object.entries(factorsBesideVersion(arm)).map(([name, value]) => `/${name}=${value}`);
  return `${arm.study}/${arm.task}/${arm.stack}/${arm.variant}${factors.join("")}`;
}

/** What one metric of one pair is called, everywhere and for ever: histories and dashboards go by it. */
export function cellId(id: string, metric: Metric): string {
  return `${id} ${metric}`;
}

/** The pairs of a run in the order of its arms; an arm that has no partner is in none. */
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
