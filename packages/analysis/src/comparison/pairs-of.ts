// The arms of a run to compare: those that differ in one thing only.
import { changedSettings, factorKey, isAtDefaults, keyOf, settingsOf, workFactors, type Arm } from "@roundtrip/runs";
import type { Comparison } from "./comparison.ts";
import { stackPairs } from "./stack-pairs.ts";

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

/** Every other variant against the façade, with the same study, task, stack and factors. */
function variantPairs(arms: readonly Arm[]): readonly ComparedPair[] {
  return groups(arms, (arm) => [arm.study, arm.task, arm.stack, factorKey(arm)]).flatMap((group) => {
    const denominator = group.find((arm) => arm.variant === "facade");
    if (denominator === undefined) return [];
    return group
      .filter((arm) => arm !== denominator)
      .map((numerator) => ({ kind: "variant" as const, numerator, denominator }));
  });
}

function placeOf(arm: Arm): string {
  return arm.target === undefined ? "here" : "elsewhere";
}

/** Every style with any settings against the floor with the same work, variant and location (here or elsewhere). */
function floorPairs(arms: readonly Arm[]): readonly ComparedPair[] {
  return groups(arms, (arm) => [arm.study, arm.task, arm.variant, workKey(arm), placeOf(arm)]).flatMap((group) => {
    const floors = group.filter((arm) => arm.role === "floor");
    const denominator = floors.find(isAtDefaults) ?? floors[0];
    if (denominator === undefined) return [];
    return group
      .filter((arm) => arm.role === "style")
      .map((numerator) => ({ kind: "floor" as const, numerator, denominator }));
  });
}

const sizeFactor = "payloadBytes";

function sizeOf(arm: Arm): number {
  return Number(arm.factors[sizeFactor]);
}

/** Sizes of one style and variant: the largest against the smallest, and the nearest two on both sides of one packet of the link. */
function sizePairs(arms: readonly Arm[], mtuBytes: number): readonly ComparedPair[] {
  const sized = arms.filter((arm) => arm.role === "style" && typeof arm.factors[sizeFactor] === "number");
  const series = groups(sized, (arm) => [arm.study, arm.task, arm.stack, arm.variant, factorKey(arm, sizeFactor)]);
  return series.flatMap((group) => {
    const ascending = group.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    const ends = [ascending[0], ascending.at(-1)];
    const border = [
      ascending.findLast((arm) => sizeOf(arm) < mtuBytes),
      ascending.find((arm) => sizeOf(arm) > mtuBytes),
    ];
    const wanted = ends.every((arm, index) => arm === border[index]) ? [ends] : [ends, border];
    return wanted.flatMap(([denominator, numerator]) =>
      denominator === undefined || numerator === undefined || numerator === denominator
        ? []
        : [{ kind: "size" as const, numerator, denominator }],
    );
  });
}

/** All pairs of a run that differ in one thing only. `mtuBytes` is the link's largest packet, 0 when unknown. */
export function pairsOf(arms: readonly Arm[], mtuBytes: number): readonly ComparedPair[] {
  return [
    ...pairsOfStacks(arms),
    ...settingPairs(arms),
    ...variantPairs(arms),
    ...floorPairs(arms),
    ...sizePairs(arms, mtuBytes),
  ];
}

export function againstFirst(arms: readonly Arm[]): readonly ComparedPair[] {
  const [denominator, ...others] = arms;
  if (denominator === undefined) return [];
  return others.map((numerator) => ({ kind: "stack", numerator, denominator }));
}
