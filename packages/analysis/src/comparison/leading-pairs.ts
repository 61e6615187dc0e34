// The comparisons that a study is about, known before anything is measured: intervals of hundreds of others must not make theirs wider.
import { coarseVariant } from "./leading-cell.ts";
import type { ComparedPair } from "./pairs-of.ts";
import { sweepOf } from "./sweep-of.ts";

/** Whether pairs of stacks lead their task: in its coarse variant, at both ends of what varies most, such as the fewest and the most attributes. */
export function leadingPairs(pairs: readonly ComparedPair[]): ReadonlySet<ComparedPair> {
  const ofStacks = pairs.filter(({ kind }) => kind === "stack");
  const tasks = Map.groupBy(ofStacks, ({ numerator: { study, task } }) => JSON.stringify([study, task]));
  const leading = [...tasks.values()].flatMap((ofTask) => {
    const arms = ofTask.map(({ numerator }) => numerator);
    const [{ study, task } = { study: "", task: "" }] = arms;
    const coarse = coarseVariant(arms, study, task);
    const candidates = ofTask.filter(({ numerator: { variant } }) => variant === coarse);
    const sweep = sweepOf(candidates.map(({ numerator }) => numerator));
    if (sweep === null) return candidates;
    const ends = new Set<unknown>([sweep.values[0], sweep.values.at(-1)]);
    return candidates.filter(({ numerator: { factors } }) => ends.has(factors[sweep.factor]));
  });
  return new Set(leading);
}
