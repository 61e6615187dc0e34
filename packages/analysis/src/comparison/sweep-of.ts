// The size of a task: which factor of its arms was varied, and which arms do the most of it.
import { isAtDefaults, keyOf, workFactors } from "../run/arm-factors.ts";
import type { Arm } from "../run/run-facts.ts";

/** A numeric factor that takes several values. */
export interface Sweep {
  readonly factor: string;
  /** From low to high. */
  readonly values: readonly number[];
}

/**
 * The numeric factor of the work that takes the most values among these arms, the first named of equals; null when none takes two. A
 * setting does not count: one stack alone has it.
 */
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
 * The largest of these arms: those at the highest value of the factor that was varied most, of them those at the highest value of the
 * next, and so on. Factors are of different kinds (attributes, bytes, callers), so they are taken one after the other, never added up.
 * One arm remains for each stack; where words or switches differ, the one that is like the first, and where settings do, the one at
 * their defaults.
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
