// The swept factor of a task, and the arms that do the most work.
import { isAtDefaults, keyOf, workFactors, type Arm } from "@roundtrip/runs";

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
