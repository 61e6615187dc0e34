// The size of a plan: its duration, and its calls.
import type { K6Plan } from "./k6-plan.ts";

/** Milliseconds from T0 until the last cell's end. */
export function lengthMs({ cells }: Pick<K6Plan, "cells">): number {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.beginsMs + last.mostMs;
}

export function callsIn({ cells, arms }: Pick<K6Plan, "arms" | "cells">): number {
  const steps = new Map(arms.map((arm) => [arm.facts.id, arm.steps.length]));
  return cells.reduce((sum, { tasks, armId }) => sum + tasks * (steps.get(armId) ?? 0), 0);
}
