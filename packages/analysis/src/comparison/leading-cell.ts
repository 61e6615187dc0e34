// The arms that stand for a run where one task must: the first study's first task, done the coarse way, at its largest.
import type { Arm } from "../run/run-facts.ts";
import { changedSettings, keyOf } from "../run/arm-factors.ts";
import { largestOf } from "./sweep-of.ts";

/** Arms of one study and task that did the same in the same way, apart from the stack. */
export interface Cell {
  readonly study: string;
  readonly task: string;
  readonly arms: readonly Arm[];
}

/** The arms of one way to call with the most work (most attributes, largest payload), one for each style. */
export function largestCell(arms: readonly Arm[], study: string, task: string, variant: string): Cell {
  const styles = arms.filter(
    (arm) => arm.study === study && arm.task === task && arm.variant === variant && arm.role === "style",
  );
  return { study, task, arms: largestOf(styles) };
}

/** The coarse way to do a task: one call for all of it. */
export function coarseVariant(arms: readonly Arm[], study: string, task: string): string {
  const variants = arms.filter((arm) => arm.study === study && arm.task === task).map((arm) => arm.variant);
  return variants.includes("facade") ? "facade" : (variants[0] ?? "single");
}

/** The cell of a run's leading task; without arms for a run without any. */
export function leadingCell(arms: readonly Arm[]): Cell {
  const { study, task } = arms[0] ?? { study: "", task: "" };
  return largestCell(arms, study, task, coarseVariant(arms, study, task));
}

/** Those arms of a cell that may be held against each other: at their defaults, or, where no two are, with the same set on all. */
export function comparableArms({ arms }: Cell): readonly Arm[] {
  const alike = Map.groupBy(arms, (arm) => keyOf(changedSettings(arm)));
  const usual = alike.get(keyOf({})) ?? [];
  const [most = []] = [usual, ...alike.values()].toSorted((one, other) => other.length - one.length);
  return usual.length > 1 ? usual : most;
}
