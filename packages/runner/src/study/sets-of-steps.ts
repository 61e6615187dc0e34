// Groups the steps of a plan into sets that are called at once, one set after the other.
import type { Order, Step } from "./study.ts";

/** Indices of steps, in sets that follow each other: all of them in one, each in its own, or as the steps say. */
export function setsOfSteps(order: Order, steps: readonly Pick<Step, "set">[]): readonly (readonly number[])[] {
  if (order !== "sequential") return [steps.map((_step, index) => index)];
  const sets: number[][] = [];
  steps.forEach(({ set }, index) => {
    const last = sets.at(-1);
    if (set !== undefined && last !== undefined && steps[index - 1]?.set === set) last.push(index);
    else sets.push([index]);
  });
  return sets;
}
