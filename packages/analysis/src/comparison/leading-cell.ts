// The arms that represent a run where only one task can: the first study's first task, in its coarse variant, at its largest; and the swept factor of a
// task.
import { changedSettings, keyOf, isAtDefaults, workFactors, type Arm } from "@roundtrip/runs";

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

/** One call or stream with which all other variants are compared. */
export function isCoarse(variant: string): boolean {
  return variant === "facade" || variant === "stream";
}

export function coarseVariant(arms: readonly Arm[], study: string, task: string): string {
  const variants = arms.filter((arm) => arm.study === study && arm.task === task).map((arm) => arm.variant);
  return variants.find(isCoarse) ?? variants[0] ?? "single";
}

function leadingCell(arms: readonly Arm[]): Cell {
  const { study, task } = arms[0] ?? { study: "", task: "" };
  return largestCell(arms, study, task, coarseVariant(arms, study, task));
}

/** For each study and task without a load the arms that may be compared, in its coarse variant at its largest. */
export function taskCells(arms: readonly Arm[]): readonly (readonly Arm[])[] {
  const tasks = Map.groupBy(
    arms.filter(({ load }) => load === undefined),
    ({ study, task }) => JSON.stringify([study, task]),
  );
  return [...tasks.values()].map((ofTask) => comparableArms(leadingCell(ofTask)));
}

/** The arms of a cell that may be compared: those at their defaults or, where no two are, with the same settings. */
export function comparableArms({ arms }: Cell): readonly Arm[] {
  const alike = Map.groupBy(arms, (arm) => keyOf(changedSettings(arm)));
  const usual = alike.get(keyOf({})) ?? [];
  const [most = []] = [usual, ...alike.values()].toSorted((one, other) => other.length - one.length);
  return usual.length > 1 ? usual : most;
}

export interface Sweep {
  readonly factor: string;
  /** From low to high. */
  readonly values: readonly number[];
}

/** Returns the numeric work factor with the most values, the first of equals; null when none has two. Ignores settings of stacks. */
export function sweepOf(arms: readonly Arm[]): Sweep | null {
  const seen = new Map<string, Set<number>>();
  for (const arm of arms) {
    for (const [factor, value] of Object.entries(workFactors(arm))) {
      if (typeof value === "number") seen.set(factor, (seen.get(factor) ?? new Set()).add(value));
    }
  }
  const [widest] = [...seen].filter(([, values]) => values.size > 1).toSorted(([, a], [, b]) => b.size - a.size);
  return widest === undefined ? null : { factor: widest[0], values: [...widest[1]].toSorted((a, b) => a - b) };
}

/**
 * Returns the largest of these arms: those at the highest value of the most varied factor, then of the next, and so on. Factors have different kinds
 * (attributes, bytes, callers), so they are never added up. Returns one arm per stack: where other factors differ, the one like the first; where
 * settings differ, the one at its defaults.
 */
export function largestOf(arms: readonly Arm[]): readonly Arm[] {
  const sweep = sweepOf(arms);
  if (sweep !== null) return largestOf(arms.filter(({ factors }) => factors[sweep.factor] === sweep.values.at(-1)));
  return [...Map.groupBy(arms, ({ stack }) => stack).values()].flatMap((ofStack) => {
    const usual = ofStack.filter(isAtDefaults);
    const standing = usual.length > 0 ? usual : ofStack;
    const alike = standing.find((arm) => keyOf(workFactors(arm)) === keyOf(workFactors(arms[0] as Arm)));
    return alike ?? standing.slice(0, 1);
  });
}
