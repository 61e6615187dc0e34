// The maximum duration of a plan.
import type { K6Plan } from "./k6-plan.ts";

/** Milliseconds from T0 until the last cell's end. */
export function lengthMs({ cells }: Pick<K6Plan, "cells">): number {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.beginsMs + last.mostMs;
}
