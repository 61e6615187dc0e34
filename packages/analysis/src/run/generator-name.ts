// The load generator of a run, as short text that is equal for equal generators.
import type { Environment, RunFacts } from "./run-facts.ts";

/** `k6 v1.8.1, 2 instances`; undefined for Roundtrip's clients. */
export function generatorName({ generators = [] }: Pick<Environment, "generators">): string | undefined {
  const [first] = generators;
  if (first === undefined) return undefined;
  const segments = new Set(generators.map(({ segment }) => segment)).size;
  const name = `${first.name} ${first.version ?? "of an unknown version"}`;
  return segments === 1 ? name : `${name}, ${segments} instances`;
}

export function isImported({ warnings }: Pick<RunFacts, "warnings">): boolean {
  return warnings.some(({ code }) => code === "imported");
}
