// The arms of a run to compare: those that differ in one thing only.
import { changedSettings, factorKey, isAtDefaults, keyOf, settingsOf, workFactors, type Arm } from "@roundtrip/runs";
import type { Comparison } from "./comparison.ts";
import { isCoarse, taskCells } from "./leading-cell.ts";
import { boundStacks, stackPairs } from "./stack-pairs.ts";

export interface ComparedPair {
  readonly kind: Comparison["kind"];
  readonly numerator: Arm;
  readonly denominator: Arm;
}

function workKey(arm: Arm): string {
  return keyOf(workFactors(arm));
}

function groups(arms: readonly Arm[], namesOf: (arm: Arm) => readonly string[]): readonly (readonly Arm[])[] {
  return [...Map.groupBy(arms, (arm) => JSON.stringify(namesOf(arm))).values()];
}

/** Pairs of stacks with the same study, task, variant and work, at their defaults or with the same settings. */
function pairsOfStacks(arms: readonly Arm[]): readonly ComparedPair[] {
  const styles = arms.filter((arm) => arm.role === "style");
  const alike = groups(styles, (arm) => [arm.study, arm.task, arm.variant, workKey(arm), keyOf(changedSettings(arm))]);
  return alike.flatMap((group) =>
    stackPairs(group).map(([numerator, denominator]) => ({ kind: "stack" as const, numerator, denominator })),
  );
}

function settingNames(arms: readonly Arm[]): readonly string[] {
  return [...new Set(arms.flatMap((arm) => Object.keys(settingsOf(arm))))];
}

function isChanged(arm: Arm, setting: string): boolean {
  return changedSettings(arm)[setting] !== undefined;
}

/** Pairs of levels of one setting, with the same study, task, stack, variant and other factors. */
function settingPairs(arms: readonly Arm[]): readonly ComparedPair[] {
  return settingNames(arms).flatMap((setting) => {
    const set = arms.filter((arm) => settingsOf(arm)[setting] !== undefined);
    const like = groups(set, (arm) => [arm.study, arm.task, arm.stack, arm.variant, factorKey(arm, setting)]);
    return like.flatMap((group) => {
      // In the order of the run, but the default first.
      const levels = group.toSorted(
        (one, other) => Number(isChanged(one, setting)) - Number(isChanged(other, setting)),
      );
      return levels.flatMap((denominator, index) =>
        levels.slice(index + 1).map((numerator) => ({ kind: "setting" as const, numerator, denominator })),
      );
    });
  });
}

/** A query has no façade of its own style as its only rival: it is compared with those of all stacks. */
const acrossStacks = "query";

/** Every other variant against the façade or stream, with the same study, task, stack and factors. */
function variantPairs(arms: readonly Arm[]): readonly ComparedPair[] {
  const styles = arms.filter(({ role }) => role === "style");
  return groups(arms, (arm) => [arm.study, arm.task, factorKey(arm)]).flatMap((group) => {
    const facades = group.filter((arm) => isCoarse(arm.variant));
    return group
      .filter((arm) => !isCoarse(arm.variant))
      .flatMap((numerator) =>
        facades
          .filter(
            (facade) =>
              facade.stack === numerator.stack || (numerator.variant === acrossStacks && styles.includes(facade)),
          )
          .map((denominator) => ({ kind: "variant" as const, numerator, denominator })),
      );
  });
}

function placeOf(arm: Arm): string {
  return arm.target === undefined ? "here" : "elsewhere";
}

/** Every style with any settings against a lower bound with the same work, variant and location (here or elsewhere). */
function lowerBoundPairs(arms: readonly Arm[], bound: "floor" | "in-process"): readonly ComparedPair[] {
  return groups(arms, (arm) => [arm.study, arm.task, arm.variant, workKey(arm), placeOf(arm)]).flatMap((group) => {
    const bounds = group.filter((arm) => arm.role === bound);
    const denominator = bounds.find(isAtDefaults) ?? bounds[0];
    if (denominator === undefined) return [];
    return group.filter((arm) => arm.role === "style").map((numerator) => ({ kind: bound, numerator, denominator }));
  });
}

/** Every two styles at servers without a library, in each task at its largest, unless they are compared as stacks. */
function boundPairs(arms: readonly Arm[]): readonly ComparedPair[] {
  return taskCells(arms).flatMap((cell) => {
    const known = new Set(
      stackPairs(cell).map((pair) =>
        pair
          .map(({ id }) => id)
          .toSorted()
          .join(" "),
      ),
    );
    const bounds = boundStacks(cell);
    return bounds.flatMap((numerator, index) =>
      bounds
        .slice(index + 1)
        .filter(({ id }) => !known.has([numerator.id, id].toSorted().join(" ")))
        .map((denominator) => ({ kind: "bound" as const, numerator, denominator })),
    );
  });
}

/** All pairs of a run that differ in one thing only. */
export function pairsOf(arms: readonly Arm[]): readonly ComparedPair[] {
  return [
    ...pairsOfStacks(arms),
    ...boundPairs(arms),
    ...settingPairs(arms),
    ...variantPairs(arms),
    ...lowerBoundPairs(arms, "floor"),
    ...lowerBoundPairs(arms, "in-process"),
  ];
}

export function againstFirst(arms: readonly Arm[]): readonly ComparedPair[] {
  const [denominator, ...others] = arms;
  if (denominator === undefined) return [];
  return others.map((numerator) => ({ kind: "stack", numerator, denominator }));
}
