// The steps of a mix, and which of them each execution of the task makes.
import { shuffled } from "@roundtrip/runner/parts";
import type { MixForm, MixRequest } from "./mix-form.ts";

/** One request of a mix with its weight. Requests that a mix lists more than once are one step. */
export interface MixStep {
  readonly form: MixForm;
  readonly request: MixRequest;
  readonly weight: number;
}

/** One message between processes has the turns of a plan: beyond this many executions they repeat. */
const mostTurns = 10_000;

const seed = 1;

export function mixSteps(mix: readonly MixForm[]): readonly MixStep[] {
  const all = mix.reduce((sum, { share }) => sum + share, 0);
  return mix.flatMap((form) =>
    [...Map.groupBy(form.requests, ({ json }) => JSON.stringify(json)).values()].map((alike) => ({
      form,
      request: alike[0] as MixRequest,
      weight: (form.share / all) * (alike.length / form.requests.length),
    })),
  );
}

/** How often each step is made among `length` executions: the nearest whole numbers (largest remainders), at least one where there are enough. */
function countsOf(weights: readonly number[], length: number): readonly number[] {
  const least = length >= weights.length ? 1 : 0;
  const exact = weights.map((weight) => weight * length);
  const counts = exact.map((count) => Math.max(least, Math.floor(count)));
  const order = exact
    .map((count, step) => ({ step, remainder: count - Math.floor(count) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.step - other.step);
  let left = length - counts.reduce((sum, count) => sum + count, 0);
  for (const { step } of order) {
    if (left <= 0) break;
    counts[step] = (counts[step] ?? 0) + 1;
    left -= 1;
  }
  // Rare steps that are made at least once are made instead of the most frequent ones.
  while (left < 0) {
    const most = counts.indexOf(Math.max(...counts));
    counts[most] = (counts[most] ?? 0) - 1;
    left += 1;
  }
  return counts;
}

/** The step of each execution, in a random order that is always the same. @param weights sum to 1. */
export function turnsOf(weights: readonly number[], executions: number): readonly number[] {
  const length = Math.min(Math.max(executions, weights.length), mostTurns);
  const counts = countsOf(weights, length);
  return shuffled(
    counts.flatMap((count, step) => Array<number>(count).fill(step)),
    seed,
  );
}

/** Identifies an answer of a mix in the answer of its plan. */
export function answerMember(step: number, { method }: MixForm["operation"]): string {
  return `${method.name} ${step + 1}`;
}
