// Where a run comes from: the load generator, an import, or only a name of a stack.
import type { Environment, RunFacts, StackIds } from "./run-facts.ts";

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

/** The ids of a stack known only by its name, such as one of imported samples. */
export function idsFromName(name: string): StackIds {
  return { style: name, server: name, client: name, stack: name };
}
