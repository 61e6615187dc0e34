// The verdict: what the numbers allow to say, in sentences, the most important first.
import type { Analysis, Finding } from "./result.ts";

/** What sentences are made from. */
export type Measured = Pick<Analysis, "arms" | "summaries" | "comparisons" | "breakEvens">;

/** The findings of a run, most important first. */
export function verdict(_measured: Measured): readonly Finding[] {
  return [];
}
