// Property tests draw their values from the seed of the commit, and a part of their cases outside of the project `full`.
import { configureGlobal, readConfigureGlobal } from "fast-check";
import { inject } from "vitest";

configureGlobal({ ...readConfigureGlobal(), seed: inject("commitSeed") });

/** How many random cases a test tries of those that it tries in the project `full`. */
export function randomCases(inFull: number): number {
  return Math.ceil(inFull * inject("caseShare"));
}

/** A fifth of a table, another one with each commit; all of it in the project `full`. */
export function shareOf<T>(table: readonly T[]): readonly T[] {
  const every = Math.round(1 / inject("caseShare"));
  return table.filter((_, index) => (index + inject("commitSeed")) % every === 0);
}
