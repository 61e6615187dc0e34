// Whether a run was made elsewhere by another generator, and brought home: then nobody here knows what was done before its calls.
import type { RunFacts } from "./run-facts.ts";

export function isImported({ warnings }: Pick<RunFacts, "warnings">): boolean {
  return warnings.some(({ code }) => code === "imported");
}
