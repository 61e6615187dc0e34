// The arms that represent a run where only one task can: the first study's first task, in its coarse variant, at its largest.
import { changedSettings, keyOf, type Arm } from "@roundtrip/runs";
import { largestOf } from "./sweep-of.ts";

/** Arms of one study and task that do the same work in the same variant on different stacks. */
export interface Cell {
  readonly study: string;
  readonly task: string;
  readonly arms: readonly Arm[];
}

/** The arms of one variant with the most work (most attributes, largest payload), one per stack. */
export function largestCell(arms: readonly Arm[], study: string, task: string, variant: string): Cell {
  const styles = arms.filter(
    (arm) => arm.study === study && arm.task === task && arm.variant === variant && arm.role === "style",
  );
  return { study, task, arms: largestOf(styles) };
}

export function coarseVariant(arms: readonly Arm[], study: string, task: string): string {
  const variants = arms.filter((arm) => arm.study === study && arm.task === task).map((arm) => arm.variant);
  return variants.includes("facade") ? "facade" : (variants[0] ?? "single");
}

export function leadingCell(arms: readonly Arm[]): Cell {
  const { study, task } = arms[0] ?? { study: "", task: "" };
  return largestCell(arms, study, task, coarseVariant(arms, study, task));
}

/** The arms of a cell that may be compared: those at their defaults or, where no two are, with the same settings. */
export function comparableArms({ arms }: Cell): readonly Arm[] {
  const alike = Map.groupBy(arms, (arm) => keyOf(changedSettings(arm)));
  const usual = alike.get(keyOf({})) ?? [];
  const [most = []] = [usual, ...alike.values()].toSorted((one, other) => other.length - one.length);
  return usual.length > 1 ? usual : most;
}
